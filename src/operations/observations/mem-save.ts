import * as z from 'zod';
import { USUAL_SCOPE } from '../../domain/observation.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { saveObservation } from '../../store/observations/save.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { compact } from '../brief.ts';
import { savedDate, text } from '../fields/basic.ts';
import { content, kind, observationScope, project, title, topicKey } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { checkLines, checkNote, checks, viewChecks } from '../results/check-against.ts';
import { copiesOfNote } from '../results/copies.ts';
import { written } from '../results/fields.ts';
import { dim, good, line } from '../view.ts';

const input = z.strictObject({
  title: title(),
  content: content(),
  type: kind().optional(),
  project: project().optional(),
  scope: observationScope().default(USUAL_SCOPE),
  topic_key: topicKey().optional(),
  session_id: text(LIMITS.id, 'The session to keep with it; default: this connection')
    .meta({ model: false })
    .optional(),
  date: savedDate(),
});

export const memSave = defineOperation({
  name: 'mem_save',
  family: 'observations',
  title: 'Save an observation',
  summary:
    'Save knowledge that is worth remembering but is not a decision: how something works, a bug and its cause, a pattern. Then link it with mem_relate.',
  access: 'write',
  createsMemory: true,
  searchHint: 'remember, save knowledge to memory',
  positional: ['title', 'content'],
  input,
  output: written({
    id: z.int(),
    revision: z.int().describe('1 for the first text'),
    action: z
      .enum(['created', 'revised', 'repeated'])
      .describe('repeated: the same text is there already; it was counted, not doubled'),
    duplicate_count: z.int(),
    check_against: checks(),
  }),
  async run(tx, given) {
    const saved = await save(tx, given);
    const isRepeated = saved.action === 'repeated';
    const [list, warnings] = await together(
      isRepeated ? [] : checkNote(tx, `${given.title}\n${given.content}`),
      isRepeated ? [] : copiesOfNote(tx, { ...given, id: saved.id }, saved.action === 'revised'),
    );
    return {
      ...saved,
      ...(list.length > 0 && { check_against: list }),
      ...(warnings.length > 0 && { warnings }),
    };
  },
  runInBatch: async (tx, given) => ({ ...(await save(tx, given)), warnings: [] }),
  toModel: ({ check_against = [], ...rest }) =>
    compact({ ...rest, check_against: checkLines(check_against) }),
  view: ({ id, revision, action, duplicate_count, check_against = [], workspace }) => [
    line(
      good(action === 'repeated' ? '= known already' : '✔ saved'),
      ` #${id}`,
      dim(`  revision ${revision} · ${repeated(duplicate_count)}workspace ${workspace}`),
    ),
    ...viewChecks(check_against),
  ],
});

async function save(
  tx: Tx,
  { title, content, type, project, scope, topic_key, session_id }: z.output<typeof input>,
) {
  const { observation, action } = await saveObservation(
    tx,
    { title, content, type, project: project ?? null, scope, topicKey: topic_key ?? null },
    session_id,
  );
  return {
    id: observation.id,
    revision: observation.revisionCount + 1,
    action,
    duplicate_count: observation.duplicateCount,
  };
}

const repeated = (count: number) => (count > 0 ? `saved again ${count} × · ` : '');
