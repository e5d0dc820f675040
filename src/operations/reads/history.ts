import * as z from 'zod';
import { loadChain } from '../../store/decisions/loaded.ts';
import type { Tx } from '../../store/tx.ts';
import { asOf, cursor, reference, wholeNumber } from '../fields/basic.ts';
import { requireMeant } from '../lists/meant-record.ts';
import { signature, versionLine, versionLines, viewVersionLine } from '../lists/version-line.ts';
import { defineOperation } from '../operation.ts';
import { resultDate } from '../results/fields.ts';
import { earlierText, earlierTexts, requireObservation } from '../results/observation.ts';
import { askedPage, nextCursor, shownOf } from '../results/page.ts';
import { toBy } from '../results/writer.ts';
import { dim, indented, line, strong, type View } from '../view.ts';

const text = earlierText.extend({
  until: resultDate().optional().describe('When another text took its place'),
});

export const history = defineOperation({
  name: 'history',
  family: 'decisions',
  title: 'The history of a decision or a note',
  summary:
    'Every version of a decision, the newest first, each with its reason and outcomes; or every text of a note.',
  access: 'read',
  tool: false,
  positional: ['ref'],
  input: z.strictObject({
    ref: reference('A decision or an observation: an id, its beginning, a topic, #38'),
    limit: wholeNumber(1, 1_000, 'Versions at most').default(50),
    cursor: cursor(),
    asOf: asOf(),
  }),
  output: z.object({
    kind: z.enum(['decision', 'observation']),
    topic: z.string().nullable().describe('The topic of a decision'),
    id: z.string().describe('The active version, or the newest; `#38` for an observation'),
    versions: z.array(versionLine).describe('Of a decision, the newest first'),
    texts: z.array(text).describe('Of an observation, the newest first'),
    total: z.int(),
    nextCursor: nextCursor(),
  }),
  async run(tx, given) {
    const meant = await requireMeant(tx, given.ref, ['decision', 'observation']);
    const { from, cursorTo } = askedPage(tx, 'history', given);
    const [before] = from ?? [];
    if (meant.kind === 'observation') {
      const { texts, total } = await textsOf(tx, meant.id, given.limit + 1, before);
      const shown = texts.slice(0, given.limit);
      const last = texts.length > given.limit ? shown.at(-1) : undefined;
      return {
        kind: 'observation' as const,
        topic: null,
        id: `#${meant.id}`,
        versions: [],
        texts: shown,
        total,
        ...(last && { nextCursor: cursorTo([last.revision]) }),
      };
    }
    const { rootId } = meant.decision;
    const { versions, newest } = await loadChain(tx, rootId, 'all');
    const found = versions.filter(({ version }) => before === undefined || version < before).reverse();
    const shown = found.slice(0, given.limit);
    const last = found.length > given.limit ? shown.at(-1) : undefined;
    return {
      kind: 'decision' as const,
      topic: newest.topic,
      id: newest.id,
      versions: await versionLines(tx, shown),
      texts: [],
      total: newest.version,
      ...(last && { nextCursor: cursorTo([last.version]) }),
    };
  },
  view({ kind, topic, id, versions, texts, total, nextCursor }) {
    const head = line(strong(kind === 'decision' ? (topic ?? '(no topic)') : id), dim(`  ${total} in all`));
    const shown = kind === 'decision' ? versions.flatMap(viewVersionLine) : texts.flatMap(viewText);
    return [head, ...shown, ...shownOf(versions.length + texts.length, total, nextCursor)];
  },
});

type Text = z.output<typeof text>;

/**
 * The newest texts of an observation, the newest first.
 * @param most so many at most
 * @param before only those before this revision
 * @returns with `total`, how many there are
 * @throws PrecedentError `not_found`
 */
export async function textsOf(
  tx: Tx,
  id: number,
  most: number,
  before = Number.POSITIVE_INFINITY,
): Promise<{ texts: Text[]; total: number }> {
  const active = await requireObservation(tx, id);
  const total = active.revisionCount + 1;
  const isShown = total < before;
  const earlier = await earlierTexts(tx, id, { newest: most, ...(!isShown && { before }) });
  const { title, content, type } = active;
  const newest = isShown ? [{ revision: total, title, content, type, ...toBy(active) }] : [];
  return { texts: [...newest, ...earlier.toReversed()].slice(0, most), total };
}

function viewText({ revision, title, content, until, ...written }: Text): View {
  const when =
    until === undefined ? dim('active') : dim(`until ${signature({ createdAt: until, ...written })}`);
  return [line(strong(`text ${revision}`), '  ', title, '  ', when), indented(content)];
}
