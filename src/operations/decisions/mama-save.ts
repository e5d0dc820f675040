import * as z from 'zod';
import { FIELD_NAMES, type Field } from '../../domain/decision.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { saveDecision } from '../../store/decisions/chain.ts';
import { insertCheckpoint } from '../../store/decisions/checkpoint.ts';
import type { Tx } from '../../store/tx.ts';
import { compact, pick } from '../brief.ts';
import { savedDate, text } from '../fields/basic.ts';
import { content, evidence, hints, replaces, topic } from '../fields/decision.ts';
import { buildsOn, LINKS, links, withLinks } from '../fields/links.ts';
import { defineOperation } from '../operation.ts';
import { checkLines } from '../results/check-against.ts';
import { inKinds, iso } from '../results/fields.ts';
import { viewBinds } from '../results/replaced.ts';
import { toWrittenDecision, viewBeside, withSimilar, writtenDecision } from '../results/written-decision.ts';
import { dim, facts, good, indented, line, shortId, strong, type View, warnings } from '../view.ts';

/** MAMA calls the text of a decision so. */
const nameOf = (field: Field) => (field === 'text' ? 'decision' : field);

const { text: decision, ...others } = content(true);
const input = z.strictObject({
  type: z
    .enum(['decision', 'checkpoint'])
    .default('decision')
    .describe('decision: something settled. checkpoint: where work is now'),
  topic: topic().optional(),
  decision: decision.optional(),
  ...others,
  evidence: evidence().optional(),
  hints: hints().optional(),
  replaces: replaces(),
  builds_on: buildsOn(),
  ...links(),
  summary: text(LIMITS.summary, 'For a checkpoint: what was done and where it was left').optional(),
  next_steps: text(LIMITS.nextSteps, 'For a checkpoint: what to do next').optional(),
  open_files: z
    .array(text(LIMITS.openFile))
    .max(LIMITS.openFiles, `to hold at most ${LIMITS.openFiles} items`)
    .optional()
    .describe('For a checkpoint: files being worked on'),
  date: savedDate(),
});

const { decision: record, edges, ...written } = writtenDecision.shape;
const saved = z.object({
  type: z.enum(['decision', 'checkpoint']),
  ...pick(record.shape, 'id', 'created_at'),
  topic: z.string().optional(),
  ...z
    .object({
      ...pick(record.shape, 'outcome_warning', 'version', 'root_id', 'strength', 'scope'),
      ...written,
      edges: edges.omit({ supersedes: true }),
      supersedes: edges.shape.supersedes,
    })
    .partial().shape,
  ...pick(written, 'warnings', 'workspace'),
});
const output = inKinds(saved, 'type', {
  decision: {
    always: ['topic', 'version', 'root_id', 'strength', 'scope', 'edges', 'supersedes', 'evidence'],
    maybe: [
      'outcome_warning',
      'unchanged',
      'binds',
      'replaced',
      'ask',
      'similar',
      'check_against',
      'compared',
    ],
  },
  checkpoint: {},
});

export const mamaSave = defineOperation({
  name: 'mama_save',
  family: 'decisions',
  title: 'Save a decision or a checkpoint',
  summary:
    'Save a decision to memory as soon as it is settled: topic, decision, and the reasoning that says why. A save on the same topic replaces what is active there for everybody; give a narrower case its own topic. Read the warnings: they name earlier failures. `similar` lists close decisions on other topics: mind the locks there. With type "checkpoint": summary, next_steps, open_files.',
  access: 'write',
  createsMemory: true,
  essential: true,
  positional: ['topic', 'decision'],
  input,
  variants: {
    field: 'type',
    kinds: {
      decision: {
        fields: [
          'topic',
          ...FIELD_NAMES.map(nameOf),
          'builds_on',
          ...LINKS,
          'evidence',
          'hints',
          'replaces',
          'date',
        ],
        required: ['topic', 'decision'],
        isDefault: true,
      },
      checkpoint: { fields: ['summary', 'next_steps', 'open_files', 'date'], required: ['summary'] },
    },
  },
  output,
  run: (tx, given) => save(tx, given),
  runInBatch: (tx, given) => save(tx, given, true),
  async afterCommit(tx, result) {
    if (result.type === 'checkpoint') return result;
    return withSimilar(tx, result.id, result);
  },
  toModel: ({ root_id: _, edges, replaced, similar = [], check_against = [], warnings, ...rest }) => ({
    ...compact({
      ...rest,
      edges: edges && Object.values(edges).some((ids) => ids.length > 0) ? edges : undefined,
      replaced: replaced && compact({ ...replaced, built_on_by: replaced.built_on_by || undefined }),
      similar: similar.map(compact),
      check_against: checkLines(check_against),
    }),
    warnings,
  }),
  view,
});

type Given = z.output<typeof input>;
type Result = Omit<z.input<typeof output>, 'workspace'>;

function save(tx: Tx, given: Given, isBatch = false): Promise<Result> {
  return given.type === 'checkpoint' ? saveCheckpoint(tx, given) : saveOne(tx, given, isBatch);
}

async function saveOne(tx: Tx, given: Given, isBatch: boolean): Promise<Result> {
  const { decision: text, evidence = [], hints, replaces, builds_on, ...rest } = given;
  const draft = { ...withLinks(rest, builds_on), text: text as string };
  const written = await saveDecision(tx, draft, evidence, { replaces, isBatch });
  const how = { scope: given.scope, hints, isBatch };
  const { decision, edges, ...others } = await toWrittenDecision(tx, written, how);
  const { supersedes, ...references } = edges;
  return {
    type: 'decision',
    ...pick(decision, 'id', 'strength', 'scope', 'version', 'root_id'),
    ...(decision.topic && { topic: decision.topic }),
    ...(decision.outcome_warning && pick(decision, 'outcome_warning')),
    supersedes,
    edges: references,
    ...others,
    created_at: iso(written.decision.createdAt),
  };
}

async function saveCheckpoint(tx: Tx, given: Given): Promise<Result> {
  const checkpoint = await insertCheckpoint(tx, {
    summary: given.summary as string,
    nextSteps: given.next_steps ?? null,
    openFiles: given.open_files ?? [],
  });
  return {
    id: checkpoint.id,
    type: 'checkpoint',
    warnings: [],
    created_at: iso(checkpoint.createdAt),
  };
}

function view(result: z.output<typeof output>): View {
  const links = Object.entries(result.edges ?? {})
    .filter(([, ids]) => ids.length > 0)
    .map(([relationship, ids]) => `${relationship} ${ids.map(shortId).join(', ')}`);
  const state = result.unchanged ? '= text unchanged' : '✔ saved';
  const details = result.version ? `v${result.version} · ` : '';
  return [
    line(
      good(state),
      ' ',
      strong(result.topic ?? result.type),
      dim(`  ${details}workspace ${result.workspace}`),
    ),
    facts(shortId(result.id)),
    ...viewBinds(result.binds),
    ...(result.supersedes && !result.unchanged
      ? [indented(dim(`supersedes ${shortId(result.supersedes)}`))]
      : []),
    ...(links.length > 0 ? [indented(dim(links.join(' · ')))] : []),
    ...(result.outcome_warning ? warnings([result.outcome_warning]) : []),
    ...viewBeside(result),
  ];
}
