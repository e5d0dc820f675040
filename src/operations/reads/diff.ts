import * as z from 'zod';
import { type Decision, FIELD_NAMES } from '../../domain/decision.ts';
import { invalid, type PrecedentError } from '../../domain/error.ts';
import { findVersion } from '../../store/decisions/decision.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { asOf, reference } from '../fields/basic.ts';
import { requireMeant } from '../lists/meant-record.ts';
import { defineOperation } from '../operation.ts';
import { iso, resultDate } from '../results/fields.ts';
import { changesBetween, type Side, type WordChange, wordChange } from '../results/word-changes.ts';
import { bad, dim, good, indented, line, type Span, strong } from '../view.ts';
import { textsOf } from './history.ts';

const side = z.object({
  name: z.string().describe('Such as auth:token@2, or #38 text 1'),
  ref: z.string().describe('The beginning of its id'),
  at: resultDate().optional(),
});

export const diff = defineOperation({
  name: 'diff',
  family: 'decisions',
  title: 'What differs between two versions',
  summary:
    'Shows word by word what differs between two versions of a decision, two decisions, or two texts of a note. With one reference: what changed since the version before.',
  access: 'read',
  tool: false,
  positional: ['ref', 'other'],
  input: z.strictObject({
    ref: reference('A decision or an observation: an id, its beginning, a topic, auth:token@2, #38'),
    other: reference('What it is compared with; default: the version before it').optional(),
    asOf: asOf(),
  }),
  output: z.object({
    from: side,
    to: side,
    fields: z
      .array(z.object({ field: z.string(), changes: z.array(wordChange) }))
      .describe('Those that differ'),
  }),
  async run(tx, { ref, other }) {
    const [from, to] =
      other === undefined ? await withBefore(tx, ref) : [await sideOf(tx, ref), await sideOf(tx, other)];
    return { from: from.side, to: to.side, fields: await changesBetween(from.says, to.says) };
  },
  view({ from, to, fields }) {
    const name = ({ name, ref }: z.output<typeof side>) => [strong(name), dim(` ${ref}`)];
    return [
      line(...name(from), dim(' → '), ...name(to)),
      ...(fields.length === 0 ? [line(dim('Nothing differs.'))] : []),
      ...fields.flatMap(({ field, changes }) => [line(dim(`${field}:`)), indented(...changes.map(span))]),
    ];
  },
});

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

/** What a reference means, after what was there before. @throws PrecedentError `invalid` for what is the first */
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
    `diff: Expected a second reference, or one with a version before it; found "${ref}", which is the first.`,
  );
}
