import * as z from 'zod';
import { type Decision, FIELD_NAMES } from '../../domain/decision.ts';
import { invalid, type PrecedentError } from '../../domain/error.ts';
import { findVersion } from '../../store/decisions/decision.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { iso, resultDate } from '../results/fields.ts';
import { changesBetween, type Side, type WordChange, wordChange } from '../results/word-changes.ts';
import { bad, dim, good, indented, line, type Span, strong, type View } from '../view.ts';
import { requireMeant } from './meant-record.ts';
import { textsOf } from './texts-of.ts';

const side = z.object({
  name: z.string().describe('Such as auth:token@2, or #38 text 1'),
  ref: z.string().describe('A prefix of its id'),
  at: resultDate().optional(),
});

/** The differences between two versions. */
export const comparison = z.object({
  from: side,
  to: side,
  fields: z
    .array(z.object({ field: z.string(), changes: z.array(wordChange) }))
    .describe('Those that differ'),
});
type Comparison = z.infer<typeof comparison>;

/**
 * Compares two versions of a decision, two decisions, or two texts of a note.
 * @param other the version before it when left out
 * @throws PrecedentError `not_found`; `invalid` for what is the first
 */
export async function compare(tx: Tx, ref: string, other: string | undefined): Promise<Comparison> {
  const [from, to] =
    other === undefined ? await withBefore(tx, ref) : [await sideOf(tx, ref), await sideOf(tx, other)];
  return { from: from.side, to: to.side, fields: await changesBetween(from.says, to.says) };
}

export function viewComparison({ from, to, fields }: Comparison): View {
  const name = ({ name, ref }: z.output<typeof side>) => [strong(name), dim(` ${ref}`)];
  return [
    line(...name(from), dim(' → '), ...name(to)),
    ...(fields.length === 0 ? [line(dim('Nothing differs.'))] : []),
    ...fields.flatMap(({ field, changes }) => [line(dim(`${field}:`)), indented(...changes.map(span))]),
  ];
}

/** As git shows words that differ: readable without colours too. */
export function span({ kind, text }: WordChange): Span {
  if (kind === 'same') return text;
  return kind === 'added' ? good(`{+${text}+}`) : bad(`[-${text}-]`);
}

interface Compared {
  side: z.input<typeof side>;
  says: Side;
}

async function sideOf(tx: Tx, ref: string): Promise<Compared> {
  const meant = await requireMeant(tx, ref, ['decision', 'observation']);
  if (meant.kind === 'decision') return ofDecision(tx, meant.decision);
  const { texts } = await textsOf(tx, meant.id, 1);
  return ofText(meant.id, texts[0]);
}

/** The version before the one that a reference means, and that one. @throws PrecedentError `invalid` for what is the first */
async function withBefore(tx: Tx, ref: string): Promise<[Compared, Compared]> {
  const meant = await requireMeant(tx, ref, ['decision', 'observation']);
  if (meant.kind === 'observation') {
    const { texts } = await textsOf(tx, meant.id, 2);
    if (texts.length < 2) throw isFirst(ref);
    return [ofText(meant.id, texts[1]), ofText(meant.id, texts[0])];
  }
  const { rootId, version } = meant.decision;
  const before = await findVersion(tx, rootId, version - 1);
  if (!before) throw isFirst(ref);
  return [await ofDecision(tx, before), await ofDecision(tx, meant.decision)];
}

async function ofDecision(tx: Tx, decision: Decision): Promise<Compared> {
  const { id, topic, version, withdrawn, createdAt } = decision;
  const shortId = await shortIds(tx, 'decisions', [id]);
  return {
    side: { name: `${topic ?? 'decision'}@${version}`, ref: shortId(id), at: iso(createdAt) },
    says: {
      topic: topic ?? '',
      ...Object.fromEntries(FIELD_NAMES.map((name) => [name, String(decision[name] ?? '')])),
      withdrawn: withdrawn ? 'yes' : 'no',
    },
  };
}

type Text = Awaited<ReturnType<typeof textsOf>>['texts'][number];

function ofText(id: number, text: Text | undefined): Compared {
  const { revision, title, content, type } = text as Text;
  return { side: { name: `#${id} text ${revision}`, ref: `#${id}` }, says: { title, content, type } };
}

function isFirst(ref: string): PrecedentError {
  return invalid.missing(
    `history: Expected a second reference, or one with a version before it; found "${ref}", which is the first.`,
  );
}
