import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { copyFileSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openMemory } from '../src/memory/memory.ts';
import { isTried } from './support/part.ts';
import type { Order, Report } from './support/saver.ts';

/** What happens to a memory: the file goes, another takes its place, or one of three processes saves. */
const STEPS = ['remove', 'replace', 'server A', 'server B', 'command line'] as const;
type Step = (typeof STEPS)[number];
const TAKES_AWAY = new Set<Step>(['remove', 'replace']);
/** Orders played at the same time. */
const AT_ONCE = 8;

describe('a memory whose file is removed or replaced while servers have it open', () => {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-replaced-'));
  const savers = new Map<Step, ReturnType<typeof saver>>();
  const backup = join(folder, 'backup.db');

  before(async () => {
    for (const step of STEPS.filter((each) => !TAKES_AWAY.has(each))) savers.set(step, saver());
    const memory = await openMemory({ db: backup });
    await memory.mem.save({ title: 'from the backup', content: 'from the backup' });
    await memory.close();
  });
  after(() => {
    for (const each of savers.values()) each.child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  for (const isLinked of [false, true]) {
    it(`[D-9] every order of four steps keeps what was acknowledged since, ${isLinked ? 'through a link' : 'and stays sound'}`, async () => {
      const orders = ordersOf(4).filter((order) => order.some((step) => TAKES_AWAY.has(step)));
      // Of those through a link every third: the file system is another matter than the order.
      const chosen = orders
        .filter((_, index) => !isLinked || index % 3 === 0)
        .filter((_, index) => isTried(index));
      const wrong: string[] = [];
      const play = async (order: Step[], index: number) => {
        const real = join(folder, `${isLinked ? 'l' : 'm'}${index}`, 'memory.db');
        const db = isLinked ? join(folder, `link${index}.db`) : real;
        if (isLinked) symlinkSync(real, db);
        // Both servers have it open, and the log holds what they wrote.
        for (const step of ['server A', 'server B'] as const) await tell(step, db, `${step} before`);
        let expected: string[] = ['server A before', 'server B before'];
        for (const [at, step] of order.entries()) {
          if (step === 'remove') rmSync(real, { force: true });
          if (step === 'replace') {
            copyFileSync(backup, `${real}.new`);
            renameSync(`${real}.new`, real);
          }
          if (TAKES_AWAY.has(step)) expected = step === 'replace' ? ['from the backup'] : [];
          else if (await tell(step, db, `${step} ${at}`)) expected.push(`${step} ${at}`);
        }
        // Whoever was refused is not refused for ever.
        for (const step of savers.keys()) {
          const last = `${step} in the end`;
          if ((await tell(step, db, last)) || (await tell(step, db, last))) expected.push(last);
          else wrong.push(`${order.join(', ')}: ${step} is refused twice`);
        }
        const memory = await openMemory({ db });
        const { problems } = await memory.inspect();
        const all = await memory.search({ query: expected.join(' '), limit: 50 });
        const found = all.results.map((entry) => entry.title ?? '').filter(Boolean);
        await memory.close();
        const lost = expected.filter((title) => !found.includes(title));
        if (lost.length > 0) wrong.push(`${order.join(', ')}: lost ${lost.join(' and ')}`);
        if (problems.length > 0) wrong.push(`${order.join(', ')}: ${problems.join('; ')}`);
      };
      const waiting = [...chosen.entries()];
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let next = waiting.shift(); next; next = waiting.shift()) await play(next[1], next[0]);
        }),
      );
      assert.deepEqual(wrong, []);
    });
  }

  /** @returns whether it was acknowledged */
  async function tell(step: Step, db: string, text: string): Promise<boolean> {
    const found = savers.get(step);
    assert(found);
    const { saved, error = '' } = await found.save({ db, text, lasting: step !== 'command line' });
    assert(saved || /removed or replaced/.test(error), error);
    return saved;
  }
});

function saver(): { child: ChildProcess; save(order: Omit<Order, 'id'>): Promise<Report> } {
  const child = fork(join(import.meta.dirname, 'support/saver.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const waiting = new Map<number, (report: Report) => void>();
  child.on('message', (report: Report) => waiting.get(report.id)?.(report));
  let next = 0;
  return {
    child,
    save: (order) =>
      new Promise((tell) => {
        const id = next++;
        waiting.set(id, tell);
        child.send({ id, ...order } satisfies Order);
      }),
  };
}

/** Every sequence of so many different steps. */
function ordersOf(length: number, of: readonly Step[] = STEPS): Step[][] {
  if (length === 0) return [[]];
  return of.flatMap((step) =>
    ordersOf(
      length - 1,
      of.filter((other) => other !== step),
    ).map((rest) => [step, ...rest]),
  );
}

describe('what stands beside a memory that a server has open', () => {
  it('[D-9] its log may be removed: the next save is refused, and nothing that was saved is lost', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precedent-log-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const db = join(folder, 'memory.db');
    const server = await openMemory({ db });
    await server.mem.save({ title: 'before', content: 'before' });
    rmSync(`${db}-wal`);
    const { code } = await server.mem.save({ title: 'after', content: 'after' }).then(
      () => ({ code: 'saved' }),
      (error) => error,
    );
    assert.equal(code, 'unavailable');
    await server.close();
    const memory = await openMemory({ db });
    assert.equal((await memory.mem.search({ query: 'before' })).total, 1);
    await memory.close();
  });

  it('[D-9] the link that names it may be replaced by a file: the next save is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'precedent-link-'));
    after(() => rmSync(folder, { recursive: true, force: true }));
    const [real, link, other] = ['real.db', 'link.db', 'other.db'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    symlinkSync(real, link);
    const server = await openMemory({ db: link });
    await server.mem.save({ title: 'a', content: 'a' });
    await (await openMemory({ db: other })).close();
    renameSync(other, link);
    const { code } = await server.mem.save({ title: 'b', content: 'b' }).then(
      () => ({ code: 'saved' }),
      (error) => error,
    );
    assert.equal(code, 'unavailable');
    await server.close();
  });
});
