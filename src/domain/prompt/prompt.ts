import { keywordsIn } from '../language/keywords.ts';
import { mask, withoutMarks } from '../text/masking.ts';
import { redact } from '../text/redaction.ts';
import { foldName, inSmall } from '../text/text.ts';
import { GENERIC_WORDS } from './generic-words.ts';

/** Characters of a prompt that are read: a pasted log says nothing of what it is about. */
const LOOKED_AT = 4_000;
/** Texts that programs and other hooks put into a prompt, and addresses: the person asks none of it. */
const NOT_SAID = [
  /<hook_context>[\s\S]*?(?:<\/hook_context>|$)/g,
  /<(system-reminder|precedent|task-notification|agent-message)\b[^>]{0,1000}>[\s\S]*?(?:<\/\1>|$)/g,
  /\b[A-Za-z][A-Za-z0-9+.-]{0,20}:\/\/\S+/g,
];
const FENCED = /(```|~~~)([\s\S]*?)(?:\1|$)/g;
/** Lines as programs write them, in lower case: a time, a level or a frame of a stack before the words, or JSON. */
const LOGGED =
  /^\s*(?:\[?\d{2,4}[-/:.]\d{2}[-/:.]\d{2}|\[?(?:trace|debug|info|warn(?:ing)?|error|fatal)\b\]?[: \]]|at \S+[ (]|file "|goroutine \d|\$ |> |[+-]{3} |@@ |[[{]["{[])/;
/** A pasted line that says what went wrong, among its first words: a cause that was recorded is recognised by it. */
const COMPLAINS =
  /^\s*(?:\S+\s+){0,4}?\[?(?:[\w.]*(?:[Ee]rror|[Ee]xception|fatal|panic|ERROR|FATAL)(?:\s[\w.]+)?:\s|(?:ERROR|FATAL)\b)/;
/** Lines of these that count in a prompt, the first ones: what follows is what came of them. */
export const COMPLAINTS = 2;
/** A longer line was pasted, too. */
const LONGEST_LINE = 600;

/**
 * The words of a person in a prompt: without private parts, secrets, code blocks, pasted logs and addresses.
 * @param complaints how many lines stay of what was pasted, of those that say what went wrong
 */
export function saidIn(prompt: string, complaints = 0): string {
  // A tag that is never closed hides all that follows; it is looked for before anything is cut off.
  const bare = NOT_SAID.reduce(
    (text, pattern) => text.replace(pattern, ' '),
    withoutMarks(mask(redact(prompt.slice(0, 20 * LOOKED_AT)))),
  );
  let left = complaints;
  const isComplaint = (line: string) => left > 0 && COMPLAINS.test(line) && left-- > 0;
  const short = (text: string) => text.split('\n').filter((line) => line.length <= LONGEST_LINE);
  const unfenced = bare.replace(
    FENCED,
    (_all, _mark, inside: string) => `\n${short(inside).filter(isComplaint).join('\n')}\n`,
  );
  return short(unfenced)
    .filter((line) => !LOGGED.test(inSmall(line)) || isComplaint(line))
    .join('\n')
    .slice(0, LOOKED_AT);
}

/** Texts written together: paths and names of topics have no blank, quotation mark or bracket inside. */
const PIECE = /[^\s"'`“”‘’()<>[\]{},;]+/g;
/** A file in a folder, or at least two folders; a particle or the number of a line may follow. */
const FILE = /^(?:@|~?\/|\.{1,2}\/)*((?:[\p{L}\p{N}_.~@-]+\/)+[\p{L}\p{N}_.-]*\.[A-Za-z]\w{0,9})/u;
const FOLDERS = /^(?:@|~?\/|\.{1,2}\/)*((?:[\w.~@-]+\/){2,}[\w.-]*)/;
/** A topic as it is shown to people: with a sign inside that no usual word has. */
const TOPIC = /^[\p{L}\p{N}][\p{L}\p{N}_.-]*[:_-](?:[\p{L}\p{N}_.:-]*[\p{L}\p{N}])/u;
/** A version of a topic, an id or its beginning, the number of an observation; a particle may follow. */
const REFERENCE =
  /^(?:[\p{L}\p{N}][\p{L}\p{N}_.:-]*@\d{1,4}(?![\w.])|(?:decision_)?[\da-f]{8}[\da-f-]*(?!\w)|#\d{1,9}(?!\w))/iu;
/** Numbers of a team's tracker, not of this memory: "fix #38", and "(#38)" at the end, as a host of git adds it. */
const TRACKED =
  /(?:\b(?:issues?|prs?|mr|pull|request|tickets?|bug|fix(?:e[sd])?|close[sd]?|resolve[sd]?)|이슈|티켓)\s*$/i;
const MERGED = /^\(#\d+\)[^\S\n]*(?:\n|$)/;
/** Paths, topics and references that are looked for in a prompt at most. */
const NAMES = 20;

/**
 * Names that a prompt writes out (T-10): the paths of files, each as it is found in a record, what may be a topic's key, and what may
 * refer to one record (`33b01e2f`, `#38`, `auth:token@2`), folded.
 * @returns also the text without the paths, whose parts say nothing by themselves
 */
export function namesIn(said: string): { names: string[]; rest: string } {
  const names = new Set<string>();
  const rest = said.replace(PIECE, (piece, at: number) => {
    const [, path] = piece.match(FILE) ?? piece.match(FOLDERS) ?? [];
    const [reference] = piece.match(REFERENCE) ?? [];
    const isTracked =
      reference?.startsWith('#') &&
      (TRACKED.test(said.slice(Math.max(0, at - 20), at)) || MERGED.test(said.slice(Math.max(0, at - 1))));
    const name = path ?? (isTracked ? undefined : reference) ?? piece.match(TOPIC)?.[0];
    if (name !== undefined && names.size < NAMES) names.add(path ?? foldName(name));
    return path === undefined ? piece : ' ';
  });
  return { names: [...names], rest };
}

/** The words of a prompt, in the order of their first mention. @param said as {@link saidIn} */
export function wordsOf(said: string): string[] {
  return keywordsIn(said, MOST_WORDS);
}
const MOST_WORDS = 24;

/** Which of these words say what a prompt is about: without what every prompt has. */
export function subjectOf(words: string[]): string[] {
  return words.filter((word) => !GENERIC_WORDS.has(word));
}
