import { invalid, PrecedentError } from '../../domain/error.ts';
import { idsOf } from '../../domain/id.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import { findName } from '../../store/names.ts';
import { findObservations } from '../../store/observations/observation.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Mark, Reviewed } from '../../store/reviewed.ts';
import type { Tx } from '../../store/tx.ts';
import { requireMeant } from '../lists/meant-record.ts';
import type { Marked } from './words.ts';

/** The forms of a line that a model answers with, as it is told them. */
export const FORMS = `REF contradicts REF
REF repeats REF
REF too wide: SCOPE
REF too strong`;

const LINE = /^(\S+) (?:(contradicts|repeats) (\S+)|(too wide): ?(\S.*)|(too strong))$/i;
/** The marks that models put around a line. */
const AROUND = /^[\s>*•-]+|[\s.`*]+$/g;

/** @param waiting the saves that wait, by the ids of their records @throws PrecedentError for a line that marks nothing */
export async function readMark(tx: Tx, line: string, waiting: Map<string, number>): Promise<Mark> {
  const [, ref = '', how, other = '', wide, scope = '', strong] =
    LINE.exec(line.replace(AROUND, '').replaceAll('`', '')) ?? [];
  if (!how && !wide && !strong)
    throw invalid.wrong_form(`Expected a line such as "${FORMS.split('\n').join('" or "')}".`);
  const own = await idOf(tx, ref);
  const save = waiting.get(own);
  if (save === undefined) throw invalid.wrong_form(`Expected a save that waits for review, found "${ref}".`);
  if (how) {
    const id = await idOf(tx, other);
    if (id === own) throw invalid.wrong_form(`Expected another record than "${ref}" itself.`);
    return [save, how.toLowerCase() as 'contradicts' | 'repeats', id];
  }
  if (own.startsWith('#')) throw invalid.wrong_form(`Expected a decision, found the note "${ref}".`);
  if (strong) return [save, 'strong', ''];
  const found = await findName(tx, 'scopes', scope);
  if (!found) throw invalid.wrong_form(`Expected a scope that has decisions, found "${scope}".`);
  return [save, 'wide', found.target];
}

async function idOf(tx: Tx, ref: string): Promise<string> {
  const meant = await requireMeant(tx, ref, ['decision', 'observation']);
  return meant.kind === 'decision' ? meant.decision.id : `#${meant.id}`;
}

/** Why a line was left out. */
export const whyRefused = (error: unknown): string => {
  if (error instanceof PrecedentError) return error.message;
  throw error;
};

/** The words of a model on each save, by its number, with the record that it named: without those that are gone. */
export async function marksOf(tx: Tx, { marks }: Reviewed): Promise<Map<number, Marked[]>> {
  const ids = [...new Set(marks.map(([, , other]) => other))];
  const decisions = await findDecisions(tx, ids);
  const numbers = ids.flatMap((id) => (id.startsWith('#') ? Number(id.slice(1)) : []));
  const refOf = await shortIds(tx, 'decisions', idsOf(decisions));
  const others = new Map<string, NonNullable<Marked['other']>>([
    ...decisions.map((each) => [each.id, { ...each, ref: refOf(each.id) }] as const),
    ...(await findObservations(tx, numbers)).map(
      ({ id, title, content: text }) =>
        [`#${id}`, { id: `#${id}`, ref: `#${id}`, topic: title, text, strength: 'normal' }] as const,
    ),
  ]);
  const found = marks.flatMap(([save, how, named]): [number, Marked][] => {
    const other = others.get(named);
    if (how === 'wide' || how === 'strong') return [[save, { how, scope: named }]];
    return other ? [[save, { how, other }]] : [];
  });
  return new Map(
    [...Map.groupBy(found, ([save]) => save)].map(([save, own]) => [save, own.map(([, mark]) => mark)]),
  );
}
