import { withoutComments } from '../markdown.ts';
import { plainly } from '../markdown-files.ts';
import { isObject } from '../values.ts';
import { dateOf } from './dates.ts';
import { filled, plainSentences, UNFILLED } from './fields.ts';
import { stateOf } from './words.ts';

/** The text of the state: `{proposed}`, which YAML reads as a map, was left as the template has it. */
export function statedIn(status: unknown): string | unknown[] | undefined {
  if (Array.isArray(status)) return status;
  const isLeft = isObject(status) || (typeof status === 'string' && UNFILLED.test(status.trim()));
  return isLeft ? 'draft' : filled(status);
}

/** Marks before a state: emoji, bold, code, brackets of a checked box. */
const BEFORE = /^(?:[\s#*_`"'“>]|\p{Extended_Pictographic}|\ufe0f|:[a-z_]+:|\[x\])+/iu;
const PICTURE = /\[?!\[([^[\]]{0,300})\]\(([^()\s]{0,500})(?:\s[^()]{0,300})?\)(?:\]\([^()]{0,500}\))?/g;
/** The maximum length of a line of the status. */
const LONGEST_STATE_LINE = 1_000;

/**
 * The lines of the status, the first being the state itself.
 * @param written a field or front matter; without it the section is used
 */
export function statusIn(written: string | unknown[] | undefined, section: string | undefined): string[] {
  const said = [written ?? []].flat().map((line) => withoutComments(String(line)).trim());
  const stated = plainSentences(section ?? '').filter((line) => line !== '' && !/^-{3,}$/.test(line));
  const lines = (said.some((line) => line !== '') ? said : stated).map((line) =>
    line.slice(0, LONGEST_STATE_LINE),
  );
  const isChosen = (line: string) => /^\[x\]/i.test(line);
  const chosen = lines.some(isChosen)
    ? lines.filter((line) => isChosen(line) || !/^\[ ?\]/.test(line))
    : lines;
  const all = chosen.map(stateIn).filter((each) => each !== '');
  const history = chosen.flatMap((line) => stateAfterDate(line) ?? []);
  // Of a history the last state counts; the later one of two days, since some write the newest first.
  const last = history.reduce<(typeof history)[number] | undefined>(
    (before, each) => (before === undefined || each.at >= before.at ? each : before),
    undefined,
  );
  if (last === undefined) return all;
  const past = new Set(history.map(({ state }) => state));
  return [last.state, ...all.filter((line) => !past.has(line))];
}

/** A state after a day: `2026-05-01 rejected`, `| 2026-05-01 | rejected |`, `2026-05-01: Rejected`. */
const AFTER_DATE =
  /^\W{0,6}(\d{4}[-/.]\d{1,2}[-/.]\d{1,2})(?:[T ]\d\d:\d\d(?::\d\d)?)?[\s\])|:：,*_–—-]+(?=\S)(.*)$/su;

function stateAfterDate(line: string): { state: string; at: number } | undefined {
  const [, day, behind = ''] = AFTER_DATE.exec(line) ?? [];
  const at = dateOf(day);
  const state = behind.replace(BEFORE, '').replace(/(?<![\s|])[\s|]+$/, '');
  return at === undefined || stateOf(state) === undefined ? undefined : { state, at };
}

/** The state in a line. A template without a chosen state is a draft, as in log4brains. */
function stateIn(line: string): string {
  const [, inner = ''] = /^\[([^[\]]{1,100})\](?:\(|$)/.exec(line) ?? [];
  if (!/[|,/]/.test(inner) && stateOf(inner) !== undefined) return inner;
  if (UNFILLED.test(line) && !/\]\(|^\[\[/.test(line)) return 'draft';
  const plain = line.replace(PICTURE, (_, words: string, address: string) => badge(words, address));
  const options = plain.split(/(?<!\s)\s+[|/]\s+/);
  const marked = options.filter((each) => /^(\*\*|__|\[x\]).+/i.test(each.trim()));
  const one = options.length > 2 ? (marked.length === 1 ? (marked[0] as string) : 'draft') : plain;
  return (stateAfterDate(one)?.state ?? one)
    .replace(/~~[^~]{1,200}~~/g, '')
    .replace(BEFORE, '')
    .replace(/^([^*_`]*)(?:\*\*|__|`)/, '$1')
    .trim();
}

/** The state of a badge, from its text or its address. */
function badge(words: string, address: string): string {
  const stated = `${words} ${plainly(address)}`.split(/[\s:/_.-]+/);
  return stated.find((each) => stateOf(each) !== undefined) ?? words;
}
