import * as z from 'zod';
import { FIELD_NAMES, type Field } from '../../domain/decision.ts';
import { outcomeWarning } from '../../domain/outcome.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { saveDecision } from '../../store/decisions/chain.ts';
import { insertCheckpoint } from '../../store/decisions/checkpoint.ts';
import type { Tx } from '../../store/tx.ts';
import { compact, pick, toRow } from '../brief.ts';
import { savedDate, text } from '../fields/basic.ts';
import { content, evidence, hints, replaces, topic } from '../fields/decision.ts';
import { buildsOn, links, withLinks } from '../fields/links.ts';
import { defineOperation } from '../operation.ts';
import { checkLines, checkRow, checks, viewChecks } from '../results/check-against.ts';
import { content as savedContent } from '../results/decision.ts';
import { iso, resultDate } from '../results/fields.ts';
import { asks } from '../results/hints.ts';
import { binds, replacedRow, toBinds, toReplacedRecord, viewBinds } from '../results/replaced.ts';
import { findSimilar, similarRow, viewSimilar } from '../results/similar-decisions.ts';
import { askedOfWritten } from '../results/written-decision.ts';
import { dim, facts, good, indented, line, shortId, strong, type View, warnings } from '../view.ts';

/** MAMA calls the text of a decision so. */
const nameOf = (field: Field) => (field === 'text' ? 'decision' : field);
const LINKS = ['builds_on', 'debates', 'synthesizes', 'quoted'] as const;

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

const { strength, scope } = savedContent;
const output = z.object({
  id: z.string(),
  type: z.enum(['decision', 'checkpoint']),
  topic: z.string().optional(),
  unchanged: z.boolean().optional().describe('The active version says the same: no new version was made'),
  outcome_warning: z.string().optional(),
  warnings: z.array(z.string()),
  version: z.int().optional(),
  root_id: z.string().optional(),
  strength: strength.optional(),
  scope: scope.optional(),
  binds: binds(),
  supersedes: z.string().nullable().optional(),
  replaced: replacedRow.optional(),
  edges: z
    .object({
      builds_on: z.array(z.string()),
      debates: z.array(z.string()),
      synthesizes: z.array(z.string()),
    })
    .optional(),
  evidence: z.array(z.string()).optional().describe('Ids of the evidence that was added'),
  similar: z
    .array(similarRow)
    .optional()
    .describe('Close decisions on other topics, failed ones too: link, debate or revise them'),
  check_against: checks(checkRow),
  ask: asks(),
  created_at: resultDate(),
  workspace: z.string(),
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
        fields: ['topic', ...FIELD_NAMES.map(nameOf), ...LINKS, 'evidence', 'hints', 'replaces', 'date'],
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
    const { similar, warnings } = await findSimilar(tx, result.id, { isSaved: !result.unchanged });
    return { ...result, warnings: [...result.warnings, ...warnings], similar: similar.map(toRow) };
  },
  toModel: ({ root_id: _, edges, similar = [], check_against = [], warnings, ...rest }) => ({
    ...compact({
      ...rest,
      edges: edges && Object.values(edges).some((ids) => ids.length > 0) ? edges : undefined,
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
  const { decision } = written;
  const warning = outcomeWarning(decision.outcome, decision.outcomeReason);
  const { checkAgainst, ...asked } = await askedOfWritten(tx, written, hints, isBatch);
  return {
    id: decision.id,
    type: 'decision',
    ...(decision.topic && { topic: decision.topic }),
    ...(written.unchanged && { unchanged: true }),
    ...(warning && { outcome_warning: warning }),
    ...pick(decision, 'strength', 'scope', 'version'),
    ...toBinds(decision, given.scope, tx.writer.client),
    ...(written.replaced && { replaced: toRow(toReplacedRecord(written.replaced)) }),
    root_id: decision.rootId,
    supersedes: decision.previousVersionId,
    edges: written.annotation.references,
    evidence: written.evidence.map((item) => item.id),
    ...asked,
    ...(checkAgainst && { check_against: checkAgainst.map(toRow) }),
    created_at: iso(decision.createdAt),
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
  const { similar = [] } = result;
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
    ...viewSimilar(
      similar.map(({ decision, outcome_warning, ...row }) => ({
        ...row,
        text: decision,
        outcomeWarning: outcome_warning,
      })),
    ),
    ...viewChecks(result.check_against ?? []),
  ];
}
