import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_PAUSES } from './support/clock.ts';
import { embeddingServer } from './support/embedding-server.ts';
import { workbench } from './support/program.ts';
import { staticModel } from './support/static-model.ts';
import { until } from './support/until.ts';

describe('CLI: vectors', { concurrency: 2 }, () => {
  it('fills in what is missing, and then finds by meaning, on the command line and over MCP', async (test) => {
    const bench = workbench(test, 'here');
    const server = await embeddingServer({ synonyms: { automobile: 'car' } });
    await bench.succeed(['tool', 'mem_save', 'car', 'car']);
    const env = {
      PRECEDENT_EMBED_URL: server.url,
      PRECEDENT_EMBED_MODEL: 'm',
      PRECEDENT_EMBED_KEY: 'secret-key',
    };
    assert.match(await bench.succeed(['doctor'], { env }), /! 1 record without a vector.*--repair/);
    assert.doesNotMatch(await bench.succeed(['doctor']), /vector/, 'without a model nothing is missing');
    assert.match(await bench.succeed(['doctor', '--repair'], { env }), /✔ 1 of 1 records have a vector/);
    assert.doesNotMatch(await bench.succeed(['doctor'], { env }), /vector/);
    assert.equal(server.requests[0]?.authorization, 'Bearer secret-key');
    const { vectors } = JSON.parse(await bench.succeed(['doctor', '--repair', '--json'], { env }));
    assert.deepEqual(vectors, { records: 1, missing: 0, stopped: false });
    assert.match(await bench.succeed(['search', 'automobile'], { env }), /#1 car/);
    const mcp = await bench.connect({ env });
    // A model that was not tried names what is near, and answers nothing.
    const named = (await mcp.call('mem_search', { query: 'automobile' })) as { names?: string[] };
    assert.deepEqual(named.names, ['#1 car']);
    server.fail = { status: 500 };
    assert.match((await mcp.call('mem_search', { query: 'car' })).degraded ?? '', /only words were compared/);
  });

  it('[Q-5] says how well the model finds the records, and doctor --repair computes missing vectors, too', async (test) => {
    const bench = workbench(test, 'here');
    const server = await embeddingServer();
    for (const name of ['alder', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'gum', 'hazel'])
      await bench.succeed(['tool', 'mem_save', name, `${name} is planted`]);
    const env = { PRECEDENT_EMBED_URL: server.url, PRECEDENT_EMBED_MODEL: 'm' };
    assert.match(
      await bench.succeed(['doctor', '--repair'], { env }),
      /the model m finds \d of 8 records by their titles/,
    );
    const asked = server.requests.length;
    const { vectors } = JSON.parse(await bench.succeed(['doctor', '--repair', '--json'], { env }));
    assert.deepEqual([vectors.missing, vectors.tried.asked], [0, 8]);
    assert(server.requests.length > asked, 'a repair tries the model anew');
    server.fail = { status: 500 };
    const { ok, failed } = JSON.parse(await bench.succeed(['doctor', '--repair', '--json'], { env }));
    assert.equal(ok, true, 'a memory is sound without a model');
    assert.match(failed, /did not answer/);
  });

  it('a one-shot save gets its vector before the command ends, and a model that does not answer cannot hold it up', async (test) => {
    const bench = workbench(test, 'here');
    const server = await embeddingServer();
    const env = { PRECEDENT_EMBED_URL: server.url, PRECEDENT_EMBED_MODEL: 'm' };
    await bench.succeed(['tool', 'mem_save', 'one', 'one'], { env });
    server.mute = true;
    await bench.succeed(['tool', 'mem_save', 'two', 'two'], { env: { ...env, NODE_OPTIONS: NO_PAUSES } });
    server.mute = false;
    server.requests.length = 0;
    await bench.succeed(['doctor', '--repair'], { env });
    assert.deepEqual(
      server.requests.map(({ input }) => input),
      [['size'], ['two\ntwo']],
    );
  });

  it('[Q-5] a static model in a folder is for servers and doctor --repair; other commands go by words and load nothing', async (test) => {
    const bench = workbench(test, 'here');
    const env = { PRECEDENT_EMBED_DIR: staticModel() };
    await bench.succeed(['tool', 'mem_save', 'car', 'car'], { env });
    const mcp = await bench.connect({ env });
    const found = async () =>
      ((await mcp.call('mem_search', { query: 'automobile' })) as { names?: string[] }).names?.[0];
    await until(async () => (await found()) === '#1 car');
    await mcp.call('mem_save', { title: 'soup', content: 'soup' });
    await bench.succeed(['tool', 'mem_save', 'kitchen', 'kitchen'], { env });
    assert.match(await bench.succeed(['doctor', '--repair'], { env }), /3 of 3 records have a vector/);
    const broken = { PRECEDENT_EMBED_DIR: staticModel({ tokenizer: '{}' }) };
    assert.match(await bench.succeed(['search', 'soup'], { env: broken }), /observation #2/);
    const degraded = await bench.connect({ env: broken });
    assert.match(
      (await degraded.call('mem_search', { query: 'soup' })).degraded ?? '',
      /only words were compared/,
    );
  });

  it('[Z-3] a folder without a static model is refused as a server starts, and by doctor --repair', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', 'one', 'one']);
    const cases: [Record<string, string>, RegExp][] = [
      [{ PRECEDENT_EMBED_DIR: staticModel({ length: 2n ** 60n }) }, /model2vec’s form/],
      [{ PRECEDENT_EMBED_DIR: staticModel({ without: 'model.safetensors' }) }, /found no file/],
      [{ PRECEDENT_EMBED_DIR: 'models/small' }, /as a full path/],
      [{ PRECEDENT_EMBED_DIR: staticModel(), PRECEDENT_EMBED_URL: 'http://127.0.0.1:1' }, /found both/],
    ];
    for (const [env, message] of cases)
      for (const command of [['mcp'], ['serve', '--port', '0'], ['doctor', '--repair']]) {
        const { code, stdout, stderr } = await bench.run(command, { env });
        assert.match((stdout + stderr).replace(/\s+/g, ' '), message, `${command} ${Object.values(env)}`);
        // A memory is sound without a model.
        if (command[0] !== 'doctor') assert.equal(code, 2, stderr);
      }
  });

  it('says what is missing or wrong, without the key', async (test) => {
    const bench = workbench(test, 'here');
    const key = 'secret-key';
    const cases: [Record<string, string>, number, RegExp][] = [
      [{ PRECEDENT_EMBED_URL: 'http://127.0.0.1:1' }, 2, /PRECEDENT_EMBED_MODEL together/],
      [{ PRECEDENT_EMBED_URL: 'ftp://x', PRECEDENT_EMBED_MODEL: 'm', PRECEDENT_EMBED_KEY: key }, 2, /http/],
      [
        { PRECEDENT_EMBED_URL: 'http://127.0.0.1:1', PRECEDENT_EMBED_MODEL: 'm', PRECEDENT_EMBED_KEY: key },
        0,
        /did not answer/,
      ],
    ];
    await bench.succeed(['tool', 'mem_save', 'one', 'one']);
    for (const [env, code, message] of cases) {
      const ran = await bench.run(['doctor', '--repair'], { env });
      assert.equal(ran.code, code, ran.stderr);
      assert.match(ran.stdout + ran.stderr, message);
      assert(!(ran.stdout + ran.stderr).includes(key));
    }
  });
});
