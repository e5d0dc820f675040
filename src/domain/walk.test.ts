import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Link, walk } from './walk.ts';

const node = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const edge = fc.record({
  from: node,
  to: node,
  id: fc.constantFrom('builds_on', 'debates'),
  order: fc.nat({ max: 1 }),
});

describe('walk', () => {
  it('[P-1] takes the same steps in whatever order a database gives links of one moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(edge, { selector: (each) => JSON.stringify(each) }),
        fc.nat(),
        async (edges, seed) => {
          const linksAt = (turned: boolean) => async (nodes: string[]) => {
            const links = edges.flatMap(({ from, to, ...rest }): Link<string>[] => [
              { ...rest, at: from, other: to, incoming: 0 },
              { ...rest, at: to, other: from, incoming: 1 },
            ]);
            const at = links.filter((link) => nodes.includes(link.at));
            return turned
              ? [...at.slice(seed % (at.length || 1)), ...at.slice(0, seed % (at.length || 1))].reverse()
              : at;
          };
          assert.deepEqual(await walk('a', 3, 4, linksAt(false)), await walk('a', 3, 4, linksAt(true)));
        },
      ),
    );
  });
});
