import * as z from 'zod';
import { areAgreed, basesOf, type Chain, type Version } from '../../domain/chain.ts';
import { sidesOf } from '../../domain/decided-twice.ts';

/** Of a version among those of its chain: what it has to do with what was decided twice (Y-2). */
export const forked = () => ({
  is_side: z.boolean().optional().describe('It is a side of what was decided twice'),
  settles: z
    .string()
    .optional()
    .describe('What was decided twice until it settled that: what was overridden'),
});

/** What a version of a chain has to do with what was decided twice; nothing where it was undone (K-6). */
export function toForked(version: Version, chain: Chain): { is_side?: true; settles?: string } {
  if (version.isMistake) return {};
  const bases = basesOf(version);
  // Nearly all saw one version: the chain is not read for each of them.
  const seen = bases.length > 1 ? chain.versions.filter(({ id }) => bases.includes(id)) : [];
  const gone = sidesOf(seen).filter((_, at) => seen[at]?.text !== version.text);
  const ended = ['decided twice until then', ...gone.map((side) => `${side} was overridden`)].join('; ');
  return {
    ...(chain.sides.some(({ id }) => id === version.id) && { is_side: true }),
    ...(!areAgreed(seen) && { settles: ended }),
  };
}
