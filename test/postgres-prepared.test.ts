import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { parseAddress } from '../src/store/postgres/address.ts';
import { shareServers } from '../src/store/postgres/servers.ts';
import { HOW_TO_GET_A_SERVER, newWorkspace, SERVER } from './support/postgres.ts';

describe('prepared statements', { skip: SERVER === '' && HOW_TO_GET_A_SERVER }, () => {
  it('[OP-5] are kept by a connection, and where they are lost, as behind a pooler, calls are answered without them', async (test) => {
    const { servers, leave } = shareServers(parseAddress(SERVER), 1);
    test.after(leave);
    const memory = await openMemory({ db: SERVER, workspace: newWorkspace() });
    test.after(() => memory.close());
    const ask = () => memory.call('decision_list', { limit: 5 });
    await ask();
    const asked = async (text: string) => {
      const { client, release } = await servers.connect('test');
      const { rows } = await client.query(text);
      release(false);
      return rows;
    };
    const count = 'select count(*)::int as many from pg_prepared_statements';
    assert.ok((await asked(count))[0].many > 5);
    await asked('deallocate all');
    const before = await ask();
    assert.deepEqual(await ask(), before);
    assert.equal((await asked(count))[0].many, 0);
  });
});
