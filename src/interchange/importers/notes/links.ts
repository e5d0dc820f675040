import { withoutBlocks, withoutCode } from '../markdown.ts';
import { plainly } from '../markdown-files.ts';

/** A link of a note to another one, as it is written. */
export interface NoteLink {
  type: string;
  target: string;
  note: string | null;
  /** Set for a path, which no other name than that of its file answers to. */
  isPath?: true;
}

/** `- type [[Target]] (context)`, a type of several words in quotes; anything else in the line makes it a mention. */
const RELATION =
  /^\s*(?:[-*+]|\d+[.)])\s+(?:"([^"]+)"|'([^']+)'|([^\s"[\]]+))\s+\[\[([^\]]+)\]\](?:\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\))?\s*$/;
const MENTION = /(?<!!)\[\[([^[\]]+)\]\]/g;
const WHOLE = /^\[\[([^\]]+)\]\]$/;
/** `[words](path.md#heading "title")`, also with a path in angle brackets. */
const PATH =
  /(?<!!)\[[^[\]]*\]\(\s{0,100}(?:<([^<>]+)>|([^\s()]+(?:\([^\s()]*\)[^\s()]*)*))(?:\s{1,100}["'(][^()]*)?\)/g;
const FILE = /\.(md|markdown)(?=$|[#?])/i;
/** What a mention is called in basic-memory. */
const MENTIONED = 'links_to';

/**
 * All links of a note to others: typed ones, mentions, and properties that are links. Links in code of one line are links
 * to basic-memory alone; basic-memory ignores links of markdown itself.
 */
export function linksIn(source: string, body: string, values: Record<string, unknown>): NoteLink[] {
  const text = source === 'basic-memory' ? withoutBlocks(body) : withoutCode(body);
  const lines = text.split('\n').flatMap(linksOfLine);
  const paths = source === 'basic-memory' ? [] : pathsIn(text);
  const properties = Object.entries(values).flatMap(([type, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => {
      const [, target] = (typeof each === 'string' && WHOLE.exec(each.trim())) || [];
      return target === undefined ? [] : [{ type, target: nameIn(target), note: null }];
    }),
  );
  // `[[#Heading]]` leads to a place in the note itself.
  return [...properties, ...lines, ...paths].filter(({ target }) => target !== '');
}

function linksOfLine(line: string): NoteLink[] {
  const [, quoted, single, word, target, context] = RELATION.exec(line) ?? [];
  const type = (quoted ?? single ?? word)?.trim() || undefined;
  if (type !== undefined && target !== undefined)
    return [{ type, target: nameIn(target), note: context?.trim() || null }];
  return [...line.matchAll(MENTION)].map(([, name = '']) => ({
    type: MENTIONED,
    target: nameIn(name),
    note: null,
  }));
}

/** Links to files next to it, and none to the web. */
function pathsIn(text: string): NoteLink[] {
  return [...text.matchAll(PATH)].flatMap(([, quoted, plain]) => {
    const written = quoted ?? plain ?? '';
    if (/^[a-z][a-z\d+.-]*:/i.test(written) || !FILE.test(written)) return [];
    const target = plainly(written.replace(/[#?].*$/, '')).normalize('NFC');
    return [{ type: MENTIONED, target, note: null, isPath: true as const }];
  });
}

/** Without the words that are shown in its place, and the heading that it leads to. */
function nameIn(target: string): string {
  return (target.split(/[|#]/)[0] ?? '').replace(/\\$/, '').trim().normalize('NFC');
}
