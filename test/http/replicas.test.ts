import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NO_NGINX, startNginx } from '../support/nginx.ts';
import { HOW_TO_GET_A_SERVER, newWorkspace, SERVER } from '../support/postgres.ts';
import { workbench } from '../support/program.ts';
import { until } from '../support/until.ts';

const WORKERS = 16;
const skip = SERVER === '' ? HOW_TO_GET_A_SERVER : NO_NGINX;

describe('[H-1] [H-5] two servers on one PostgreSQL, behind nginx', { skip }, () => {
  const workspace = newWorkspace();

  it('lose nothing while each is restarted under load; a save that was refused was never begun', async (test) => {
    const bench = workbench(test);
    const env = { PRECEDENT_DB: SERVER, PRECEDENT_WORKSPACE: undefined };
    const tokens = join(bench.folder, 'tokens.jsonl');
    const added = await bench.succeed(['token', 'add', 'load', '--tokens', tokens, '--json'], { env });
    const { token } = JSON.parse(added) as { token: string };
    const sockets = [join(bench.folder, 'a.sock'), join(bench.folder, 'b.sock')] as const;
    const start = async (socket: string) => {
      const place = ['--socket', socket, '--public-url', 'https://memory.example', '--tokens', tokens];
      const { child, exited } = bench.start(['serve', ...place], { env });
      let said = '';
      child.stdout.on('data', (text) => {
        said += text;
      });
      let problem = '';
      child.stderr.on('data', (text) => {
        problem += text;
      });
      await Promise.race([until(() => said.includes('Stop with')), exited.then(() => assert.fail(problem))]);
      return { child, exited, socket };
    };
    const replicas = [await start(sockets[0]), await start(sockets[1])];
    const nginx = await startNginx(bench.folder, sockets);
    test.after(() => nginx.close());
    const call = (operation: string, input: object) =>
      nginx.post(`/api/v1/${workspace}/${operation}`, token, JSON.stringify(input));

    const saved: string[] = [];
    const refused: { status: number; retryAfter: string | undefined; topic: string }[] = [];
    let isOver = false;
    let next = 0;
    const work = async () => {
      while (!isOver) {
        const topic = `load:t${next++}`;
        const input = { type: 'decision', topic, decision: 'd', reasoning: 'r' };
        const { status, retryAfter } = await call('mama_save', input);
        if (status === 200) saved.push(topic);
        else refused.push({ status, retryAfter, topic });
      }
    };
    const first = await call('mama_save', {
      type: 'decision',
      topic: 'first',
      decision: 'd',
      reasoning: 'r',
    });
    assert.equal(first.status, 200, first.body);
    saved.push('first');
    const workers = Array.from({ length: WORKERS }, work);
    const more = async (many: number) => {
      const from = saved.length;
      await until(() => saved.length >= from + many);
    };
    for (const { child, exited, socket } of replicas) {
      await more(50);
      child.kill('SIGTERM');
      assert.equal(await exited, 0);
      assert.ok(!existsSync(socket), 'it takes its socket away');
      await more(50);
      await start(socket);
      await more(50);
    }
    isOver = true;
    await Promise.all(workers);

    const kept: string[] = [];
    let cursor: string | undefined;
    do {
      const { status, body } = await call('decision_list', { limit: 100, ...(cursor && { cursor }) });
      assert.equal(status, 200, body);
      const page = JSON.parse(body) as { decisions: { topic: string }[]; nextCursor?: string };
      kept.push(...page.decisions.map(({ topic }) => topic));
      cursor = page.nextCursor;
    } while (cursor);
    assert.deepEqual(kept.toSorted(), saved.toSorted());
    for (const { status, retryAfter } of refused) {
      assert.ok([502, 503, 504].includes(status), String(status));
      if (status === 503) assert.ok(retryAfter);
    }
    // What stood on a connection that was closed before it was read: at most one for each worker and restart.
    assert.ok(refused.length <= 2 * WORKERS, nginx.said());
  });
});
