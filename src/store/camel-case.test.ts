import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { QueryResult, UnknownRow } from 'kysely';
import { CamelCase } from './camel-case.ts';

const mapped = (rows: UnknownRow[]): Promise<QueryResult<UnknownRow>> =>
  new CamelCase().transformResult({ result: { rows }, queryId: { queryId: 'it' } });

describe('CamelCase', () => {
  it('[U-9] leaves the rows of a result as they are where no name would change', async () => {
    const rows = [{ seq: 1, kind: 'decision' }];
    assert.equal((await mapped(rows)).rows, rows);
  });

  it('maps every row where one name does', async () => {
    const { rows } = await mapped([
      { seq: 1, root_id: 'a' },
      { seq: 2, root_id: null },
    ]);
    assert.deepEqual(rows, [
      { seq: 1, rootId: 'a' },
      { seq: 2, rootId: null },
    ]);
  });
});
