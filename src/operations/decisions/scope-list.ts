import * as z from 'zod';
import { listScopes, otherScopeNames } from '../../store/lists/names.ts';
import { asOf, nameCursor, wholeNumber } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { askedPageOfNames, nextCursor, shownOf } from '../results/page.ts';
import { dim, line, strong } from '../view.ts';

const count = () => z.int().describe('How many of them are active');

export const scopeList = defineOperation({
  name: 'scope_list',
  family: 'decisions',
  title: 'Scopes with their active decisions',
  summary: 'The scopes that have active decisions, with how many of each strength.',
  access: 'read',
  tool: false,
  input: z.strictObject({
    limit: wholeNumber(1, 1_000, 'Scopes at most').default(200),
    cursor: nameCursor(),
    asOf: asOf(),
  }),
  output: z.object({
    scopes: z.array(
      z.object({
        scope: z.string(),
        axis: count(),
        lock: count(),
        normal: count(),
        total: count(),
        names: z.array(z.string()).optional().describe('Other names that lead there'),
      }),
    ),
    total: z.int().describe('How many scopes there are, shown or not'),
    nextCursor: nextCursor(),
    ...noneFields(),
  }),
  async run(tx, given) {
    const { after, cursorTo } = askedPageOfNames(tx, 'scope_list', given);
    const { rows, total, next } = await listScopes(tx, given.limit, after);
    const names = await otherScopeNames(
      tx,
      rows.map(({ scope }) => scope),
    );
    return {
      scopes: rows.map((row) => {
        const others = names.get(row.scope);
        return { ...row, ...(others && { names: others }) };
      }),
      total,
      ...(next !== undefined && { nextCursor: cursorTo(next) }),
      ...(rows.length === 0 && (await noneOf(tx, { what: 'scope', total }))),
    };
  },
  view({ scopes, total, nextCursor, looked, workspace }) {
    if (scopes.length === 0) return viewNone(looked, workspace);
    const lines = scopes.map(({ scope, axis, lock, normal, names }) => {
      const tiers = [
        [axis, axis === 1 ? 'axis' : 'axes'],
        [lock, lock === 1 ? 'lock' : 'locks'],
        [normal, 'normal'],
      ] as const;
      const said = tiers.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
      const also = names ? dim(`  also called ${names.join(', ')}`) : '';
      return line(strong(scope), `  ${said.join(', ')}`, also);
    });
    return [...lines, ...shownOf(scopes.length, total, nextCursor)];
  },
});
