import * as z from 'zod';
import { conflict } from '../../domain/error.ts';
import { restoreObservation } from '../../store/observations/observation.ts';
import { observationId } from '../fields/observation.ts';
import { defineOperation } from '../operation.ts';
import { requireObservation } from '../results/observation.ts';
import { dim, good, line } from '../view.ts';

export const memRestore = defineOperation({
  name: 'mem_restore',
  family: 'observations',
  title: 'Bring a deleted note back',
  summary:
    'Brings a deleted note back: it is found again, with its relations and earlier texts. What was deleted for good is gone.',
  access: 'write',
  tool: false,
  positional: ['id'],
  input: z.strictObject({ id: observationId() }),
  output: z.object({ id: z.int(), title: z.string(), deleted: z.literal(false), workspace: z.string() }),
  async run(tx, { id }) {
    const observation = await requireObservation(tx, id);
    if (observation.deletedAt === null)
      throw conflict.already_so(
        `mem_restore: Expected an observation that was deleted, found ${id} ("${observation.title}"), which was not.`,
      );
    await restoreObservation(tx, observation);
    return { id, title: observation.title, deleted: false as const };
  },
  view: ({ id, title, workspace }) => [
    line(good('✔ restored'), ` #${id} ${title}`, dim(`  workspace ${workspace}`)),
  ],
});
