import { readSentences, stillSays } from '../domain/copies/copies.ts';
import { quoted } from '../domain/text/text.ts';
import { mayInstruct, readInstructing } from '../interchange/instructing/files.ts';
import type { Result } from '../operations/index.ts';

type Listed = NonNullable<Result<'briefing_list'>['corrected']>;
type Corrected = Omit<Listed['corrections'][number], 'at'>;

/** A corrected text, and how often the memory has its words. */
interface Corrections<Of extends Corrected> {
  corrections: Of[];
  documents: number;
  counts: Record<string, number>;
}

/** A sentence of a file that still says what holds no longer. */
export interface Stale<Of extends Corrected = Corrected> {
  file: string;
  line: number;
  sentence: string;
  /** The old text that it still says, and the one that holds instead. */
  says: string;
  /** The corrections that did not reach it, the closest first. */
  of: Of[];
}

/** Characters that are quoted of a sentence and of what replaced it. */
const LONGEST_QUOTE = 160;

/**
 * The sentences of files that still say what was replaced, withdrawn or failed (CC-2), by file and line: each with the correction
 * that it is closest to.
 * @param top the folder of the repository @param paths files from there on; those that do not instruct are left out. Default: all
 */
export function staleIn<Of extends Corrected>(
  top: string,
  paths: readonly string[] | undefined,
  { corrections, documents, counts }: Corrections<Of>,
): { stale: Stale<Of>[]; files: number; skipped: { what: string; why: string }[] } {
  const { sentences, files, skipped } = readInstructing(top, paths);
  const readings = readSentences(sentences);
  const frequencies = { documents, of: new Map(Object.entries(counts)) };
  const found = corrections.flatMap((of) =>
    stillSays(of, readings, frequencies).map((twin) => ({ ...twin, of })),
  );
  const stale = [...Map.groupBy(found, ({ at }) => at)].flatMap(([at, twins]): Stale<Of>[] => {
    const said = sentences[at];
    const of = twins.sort((a, b) => b.closeness - a.closeness).map((each) => each.of);
    if (!said || !of[0]) return [];
    const { file, line, text } = said;
    return [{ file, line, sentence: quoted(text, LONGEST_QUOTE), says: saidOf(of[0]), of }];
  });
  return {
    stale: stale.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
    files,
    skipped,
  };
}

/** {@link staleIn} of files that an agent reads; the corrections are asked for where one may instruct. */
export async function staleRead(
  top: string,
  paths: readonly string[],
  corrections: () => Promise<Corrections<Corrected>>,
): Promise<Stale[]> {
  const own = paths.filter(mayInstruct);
  return own.length === 0 ? [] : staleIn(top, own, await corrections()).stale;
}

/** The old text that a sentence still says: "what release:cadence v1 said; v2 says: …". */
function saidOf({ id, topic, how, version, newest, old, next }: Corrected): string {
  const name = (topic ?? id).replace(/[“”]/g, '"');
  if (how === 'replaced')
    return `what ${name} v${version} said; v${newest} says: ${quoted(next ?? '', LONGEST_QUOTE)}`;
  return `what ${name} v${version} said, which ${how === 'failed' ? 'failed' : 'was withdrawn'}: ${quoted(old, LONGEST_QUOTE)}`;
}
