import type { EmbedderFault } from './embedder.ts';

/** Characters of an error's message that are shown. */
const QUOTED = 200;
/** A message that has this many characters in a row of a text repeats the text. */
const RUN = 12;

/** The lists of finite numbers in an answer, in the order of their `index`. @param count of texts that were sent */
export function listsOf(body: string, count: number, faultOf: (what: string) => EmbedderFault): number[][] {
  const data = property(parsed(body), 'data');
  if (!Array.isArray(data)) throw faultOf(' without a list of embeddings');
  if (data.length !== count) throw faultOf(` with ${data.length} vectors for ${count} texts`);
  const lists = new Map<unknown, number[]>();
  data.forEach((item, position) => {
    const list = property(item, 'embedding');
    if (!Array.isArray(list) || list.length === 0 || !list.every(Number.isFinite))
      throw faultOf(' with an embedding that is not a list of numbers');
    lists.set(property(item, 'index') ?? position, list);
  });
  return Array.from({ length: count }, (_, index) => {
    const list = lists.get(index);
    if (!list) throw faultOf(` without the embedding of index ${index}`);
    return list;
  });
}

/**
 * The message in an error's body, as it follows the status. Empty when it repeats a text or the key, as validators do:
 * it is for a log, and they are private.
 * @param sent the texts and the key
 */
export function quotedError(body: string, sent: string[]): string {
  const json = parsed(body);
  const error = property(json, 'error');
  const said = [property(error, 'message'), error, property(json, 'message'), property(json, 'detail')]
    .find((candidate) => typeof candidate === 'string')
    ?.slice(0, QUOTED * 20)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  // More is looked at than is shown, so that no repetition begins at the end of what is shown.
  if (!said || repeats(said.slice(0, QUOTED * 4), sent)) return '';
  const shown = [...said].slice(0, QUOTED - 1).join('');
  return `: ${shown.length < said.length ? `${shown}…` : shown}`;
}

/** Whether a message holds a sent text, or a run of its characters. */
function repeats(message: string, sent: string[]): boolean {
  const looked = compact(message);
  const runs = Array.from({ length: looked.length }, (_, at) => looked.slice(at, at + RUN));
  return sent.map(compact).some((text) => {
    if (text.length <= RUN) return text !== '' && looked.includes(text);
    return runs.some((run) => run.length === RUN && text.includes(run));
  });
}

/** A text without the characters in which a quotation of it may differ. */
function compact(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s"'\\]+/g, '');
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
