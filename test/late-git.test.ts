import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { lateGit, moveDate, stopClock } from './support/clock.ts';
import { commit, git, machine, refused } from './support/machine.ts';

const HOUR = 3_600_000;
const MINUTES = 120_000;
const HISTORY = '--max-parents=0';
const SETTINGS = 'config';

/** A machine on which git answers too late while a test says so. */
function busy(test: TestContext) {
  const [late, clock, date] = [lateGit(test), stopClock(test), moveDate(test)];
  const pass = (milliseconds: number) => {
    clock(milliseconds);
    date(milliseconds);
  };
  const here = machine(test, undefined, undefined, 'here');
  return {
    ...here,
    late,
    pass,
    /** Git answers again, and an hour passes. */
    recover() {
      late.clear();
      pass(HOUR);
    },
    memories: () =>
      existsSync(here.data) ? readdirSync(here.data).filter((name) => name.endsWith('.db')) : [],
  };
}

describe('git that answers too late', () => {
  it('[K-1] [K-3] what it could not tell of a new memory is learnt later, and clones find that memory', async (test) => {
    const { repository, clone, save, known, registry, late, recover, url, nameOf } = busy(test);
    const app = repository('app', 'first');
    git(app, 'remote', 'add', 'origin', url('app'));
    late.add(HISTORY);
    await save(app, 'saved too early');
    assert.deepEqual(registry().repositories[0].names, []);
    await save(app, 'saved a moment later');
    recover();
    await save(app, 'saved later');
    assert.deepEqual(registry().repositories[0].names, [nameOf('app')]);
    assert.equal((await known(app)).length, 3);
    assert.equal((await known(clone(app, 'clone', url('app')))).length, 3);
  });

  it('[K-1] a long history is not walked with each save', async (test) => {
    const { repository, save, late, pass } = busy(test);
    const app = repository('app', 'first');
    late.add(HISTORY);
    await save(app, 'one');
    pass(MINUTES);
    const asked = test.mock.method(late, 'has').mock;
    await save(app, 'two');
    assert(!asked.calls.some(({ result }) => result === true), 'git was asked again at once');
  });

  it('[K-1] [Z-2] a clone makes no memory of its own before git can tell that it has one', async (test) => {
    const { repository, clone, run, save, known, late, recover, memories, url } = busy(test);
    const app = repository('app', 'first');
    git(app, 'remote', 'add', 'origin', url('app'));
    await save(app, 'saved in app');
    const other = clone(app, 'clone', url('app'));
    const before = memories();
    for (const question of [SETTINGS, HISTORY]) {
      late.add(question);
      const said = refused(await run(other, ['tool', 'mem_save', 'lost', 'lost']), 5);
      assert.match(said, /git .* took too long\. Nothing was saved\. Try again/);
      assert.deepEqual(memories(), before, question);
      assert.deepEqual(await known(other), []);
      recover();
    }
    await save(other, 'saved in the clone');
    assert.deepEqual(await known(app), ['saved in app', 'saved in the clone']);
  });

  it('[K-1] a repository that was copied to where it was makes none before git can tell whose it is', async (test) => {
    const { repository, run, save, known, late, recover, memories } = busy(test);
    const app = repository('app', 'first');
    await save(app, 'saved before');
    renameSync(app, `${app}-old`);
    cpSync(`${app}-old`, app, { recursive: true });
    rmSync(`${app}-old`, { recursive: true });
    const before = memories();
    late.add(HISTORY);
    refused(await run(app, ['tool', 'mem_save', 'lost', 'lost']), 5);
    assert.deepEqual(memories(), before);
    recover();
    assert.deepEqual(await known(app), ['saved before']);
  });

  it('[Z-2] a history that could not be compared is compared later', async (test) => {
    const { repository, save, known, note, late, recover } = busy(test);
    const app = repository('app', 'first');
    await save(app, 'saved before');
    git(app, 'branch', '-M', 'before');
    git(app, 'checkout', '--quiet', '--orphan', 'another');
    commit(app, 'another project');
    git(app, 'branch', '--quiet', '-D', 'before');
    late.add(HISTORY);
    assert.deepEqual(await known(app), ['saved before']);
    recover();
    assert.match((await note(app)) ?? '', /its history now has other first commits/);
    assert.deepEqual(await known(app), []);
  });

  it('[K-4] a server that could not ask who saves asks again', async (test) => {
    const { repository, connect, save: saveFirst, late, recover } = busy(test);
    const app = repository('app', 'first');
    await saveFirst(app, 'saved before');
    git(app, 'config', 'user.name', 'Kim Minsu');
    const { call } = await connect(app);
    late.add(SETTINGS);
    const save = async (topic: string) => {
      const { id } = await call('mama_save', { topic, decision: 'It is so' });
      // As a model reads it.
      return (await call('decision_get', { id })) as object as { by: string };
    };
    assert.notEqual((await save('a:b')).by, 'Kim Minsu');
    recover();
    assert.equal((await save('c:d')).by, 'Kim Minsu');
  });
});
