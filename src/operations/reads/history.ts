import * as z from 'zod';
import { loadChain } from '../../store/decisions/loaded.ts';
import { asOf, cursor, reference, wholeNumber } from '../fields/basic.ts';
import { compare, comparison, viewComparison } from '../lists/compared.ts';
import { requireMeant } from '../lists/meant-record.ts';
import { type NoteText, noteText, textsOf } from '../lists/texts-of.ts';
import { defineOperation } from '../operation.ts';
import { askedPage, nextCursor, shownOf } from '../results/page.ts';
import { readVersions, signature, version, viewVersion } from '../results/version.ts';
import { dim, indented, line, strong, type View } from '../view.ts';

export const history = defineOperation({
  name: 'history',
  family: 'decisions',
  title: 'The history of a decision or a note',
  summary:
    'Every version of a decision, newest first, each with its reason and outcomes; or every text of a note. With diff, what differs word by word between two of them, two decisions or two notes.',
  access: 'read',
  tool: false,
  positional: ['ref', 'other'],
  input: z.strictObject({
    ref: reference('A decision or an observation: an id, an id prefix, a topic, auth:token@2, #38'),
    diff: z
      .boolean()
      .default(false)
      .describe('What differs from the version before, in place of the versions'),
    other: reference('What it is compared with, in place of the version before').optional(),
    limit: wholeNumber(1, 1_000, 'Maximum versions').default(50),
    cursor: cursor(),
    as_of: asOf(),
  }),
  output: z.object({
    kind: z.enum(['decision', 'observation']),
    topic: z.string().nullable().describe('The topic of a decision'),
    id: z
      .string()
      .describe(
        'The active version, else the newest; with diff, the one that you named; `#38` for an observation',
      ),
    versions: z.array(version).describe('Of a decision, the newest first'),
    texts: z.array(noteText).describe('Of an observation, the newest first'),
    total: z.int().optional().describe('How many there are, shown or not; none with diff'),
    compared: comparison.optional().describe('With diff'),
    next_cursor: nextCursor(),
  }),
  async run(tx, given) {
    const meant = await requireMeant(tx, given.ref, ['decision', 'observation']);
    if (given.diff || given.other !== undefined) {
      const { kind } = meant;
      const of = kind === 'decision' ? meant.decision : { topic: null, id: `#${meant.id}` };
      const compared = await compare(tx, given.ref, given.other);
      return { kind, topic: of.topic, id: of.id, versions: [], texts: [], compared };
    }
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
        ...(last && { next_cursor: cursorTo([last.revision]) }),
      };
    }
    const { rootId } = meant.decision;
    const chain = await loadChain(tx, rootId, 'all');
    const { newest } = chain;
    const found = chain.versions.filter(({ version }) => before === undefined || version < before).reverse();
    const shown = found.slice(0, given.limit);
    const last = found.length > given.limit ? shown.at(-1) : undefined;
    return {
      kind: 'decision' as const,
      topic: newest.topic,
      id: newest.id,
      versions: (await readVersions(tx, chain, shown)).versions,
      texts: [],
      total: newest.version,
      ...(last && { next_cursor: cursorTo([last.version]) }),
    };
  },
  view({ kind, topic, id, versions, texts, total = 0, next_cursor, compared }) {
    if (compared) return viewComparison(compared);
    const head = line(strong(kind === 'decision' ? (topic ?? '(no topic)') : id), dim(`  ${total} in all`));
    const shown = kind === 'decision' ? versions.flatMap(viewVersion) : texts.flatMap(viewText);
    return [head, ...shown, ...shownOf(versions.length + texts.length, total, next_cursor)];
  },
});

function viewText({ revision, title, content, until, ...written }: NoteText): View {
  const when =
    until === undefined ? dim('active') : dim(`until ${signature({ created_at: until, ...written })}`);
  return [line(strong(`text ${revision}`), '  ', title, '  ', when), indented(content)];
}
