import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pageOf } from './page.ts';

const groups = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 })
  .map((sizes) => sizes.map((size, group) => Array.from({ length: size }, (_, row) => `${group}.${row}`)));
const limits = fc.integer({ min: 1, max: 9 });

/** All pages, each read from where the one before ended. */
function walk(given: string[][], limit: number, tears: boolean): string[][] {
  const pages: string[][] = [];
  for (let [from, skip] = [0, 0]; ; ) {
    const { rows, next } = pageOf(given.slice(from, from + limit + 1), skip, limit, tears);
    pages.push(rows);
    if (next === undefined) return pages;
    [from, skip] = [from + next.groups, next.rows];
  }
}

describe('a page of groups', () => {
  it('[W-6] all pages together are every row once, in order, and none is longer than its limit', () => {
    fc.assert(
      fc.property(groups, limits, fc.boolean(), (given, limit, tears) => {
        const pages = walk(given, limit, tears);
        assert.deepEqual(pages.flat(), given.flat());
        assert(pages.every((page) => page.length <= limit));
        assert(given.length === 0 || pages.every((page) => page.length > 0));
      }),
    );
  });

  it('[W-6] a group that a page can hold is on one page', () => {
    fc.assert(
      fc.property(groups, limits, (given, limit) => {
        const pages = walk(given, limit, false);
        for (const group of given.filter(({ length }) => length <= limit)) {
          const on = pages.filter((page) => group.some((row) => page.includes(row)));
          assert.equal(on.length, 1, `${group} on ${JSON.stringify(pages)}`);
        }
      }),
    );
  });

  it('[W-6] where rows stand for themselves, every page but the last is full', () => {
    fc.assert(
      fc.property(groups, limits, (given, limit) => {
        for (const page of walk(given, limit, true).slice(0, -1)) assert.equal(page.length, limit);
      }),
    );
  });
});
