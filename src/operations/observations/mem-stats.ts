import * as z from 'zod';
import { collectStatistics } from '../../store/maintenance/statistics.ts';
import { asOf } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { observationBrief } from '../results/observation.ts';

const TOP = 10;
/** Kinds and projects, by which observations are chosen. */
const MOST = 100;

export const memStats = defineOperation({
  name: 'mem_stats',
  family: 'observations',
  title: 'Count what is in the memory',
  summary: 'Counts of every kind of record, the commonest relation types, the most connected observations.',
  access: 'read',
  tool: 'optIn',
  input: z.strictObject({ as_of: asOf() }),
  output: z.object({
    workspace: z.string(),
    observations: z.int().describe('Not deleted'),
    deleted_observations: z.int(),
    relations: z.int(),
    commonest_types: z.array(z.object({ type: z.string(), count: z.int() })),
    kinds: z
      .array(z.object({ type: z.string(), count: z.int() }))
      .describe('Of observations that are not deleted, the commonest first'),
    projects: z.array(z.object({ project: z.string(), count: z.int() })).describe('The same'),
    most_connected: z.array(observationBrief.extend({ relations: z.int() })),
    records: z.record(z.string(), z.int()).describe('All records by kind, deleted ones included'),
  }),
  async run(tx) {
    const found = await collectStatistics(tx, TOP, MOST);
    const records = Object.fromEntries(found.records.map(({ kind, count }) => [kind, count]));
    return {
      observations: (records.observation ?? 0) - found.deletedObservations,
      deleted_observations: found.deletedObservations,
      relations: found.relations,
      commonest_types: found.commonestTypes,
      kinds: found.kinds,
      projects: found.projects,
      most_connected: found.mostConnected,
      records,
    };
  },
});
