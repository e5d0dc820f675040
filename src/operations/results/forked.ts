import * as z from 'zod';
import { areAgreed, basesOf } from '../../domain/chain.ts';
import { sidesOf } from '../../domain/decided-twice.ts';
import type { chainOf } from '../../store/decisions/decision.ts';
import type { Writer } from '../../store/tx.ts';
import { pick } from '../brief.ts';

/** Of a version among those of its chain: what it has to do with what was decided twice (Y-2). */
export const forked = () => ({
  isSide: z.boolean().optional().describe('It is a side of what was decided twice'),
  settles: z
    .string()
    .optional()
    .describe('What was decided twice until it settled that: what was overridden'),
});

type Chain = Awaited<ReturnType<typeof chainOf>>;

/** @param sides the ids of what was decided twice and is not settled @param wrote who wrote each version, by its id */
export function toForked(
  version: Chain[number],
  chain: Chain,
  sides: readonly string[],
  wrote: ReadonlyMap<string, Writer>,
): { isSide?: true; settles?: string } {
  const bases = basesOf(version);
  // Nearly all saw one version: the chain is not read for each of them.
  const seen = (bases.length > 1 ? chain : [])
    .filter(({ id }) => bases.includes(id))
    .map((each) => ({ ...each, ...pick(wrote.get(each.id) as Writer, 'author', 'host') }));
  const gone = sidesOf(seen).filter((_, at) => seen[at]?.text !== version.text);
  const ended = ['decided twice until then', ...gone.map((side) => `${side} was overridden`)].join('; ');
  return {
    ...(sides.includes(version.id) && { isSide: true }),
    ...(!areAgreed(seen) && { settles: ended }),
  };
}
