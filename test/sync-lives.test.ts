import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import type { Memory, MemoryOptions } from '../src/index.ts';
import { engines, sqlite } from './support/engines.ts';
import { git } from './support/machine.ts';
import { isTried } from './support/part.ts';
import { generator } from './support/random.ts';
import { exported } from './support/stream.ts';
import { namesIn, served, shown, step } from './support/synced.ts';

const DAY = 86_400_000;
const engine = engines.find(({ name, skip }) => name === 'PostgreSQL' && !skip) ?? sqlite;
type Random = () => number;
type Machine = Required<Pick<MemoryOptions, 'clock' | 'newId' | 'writer'>>;

/** Where machines meet, and what befalls it. */
interface Meeting {
  sync(memory: Memory): ReturnType<Memory['sync']>;
  /** What a file service, a person with git or a server that ends does to it. */
  befall(random: Random): void;
  /** A sync that ends after it heard, before others can hear it. */
  ended(memory: Memory): Promise<unknown>;
}

/** Ids that are the same in every run of a seed. */
const idsFrom = (random: Random) => () =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => Math.floor(random() * 16).toString(16));

/** The file of a memory as somebody copied it; none on a server. */
async function copiesOf(memory: Memory, machine: Machine): Promise<Memory[]> {
  const { location } = await memory.inspect();
  if (location.includes('://')) return [];
  const { db } = sqlite.place();
  const file = new DatabaseSync(location);
  file.exec(`vacuum into '${db}'`);
  file.close();
  return [await sqlite.reopen(memory, { ...machine, db })];
}

/** A sync that fails, and must leave nothing half done. */
const failing = (synced: Promise<unknown>) => synced.catch(() => undefined);

function shared(folder: string): Meeting {
  const machines = new Map<Memory, string>();
  const pick = (random: Random) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.jsonl$/.test(name),
    );
    return join(folder, files[Math.floor(random() * files.length)] ?? '');
  };
  const sync = async (memory: Memory) => {
    const synced = await memory.sync(machines.has(memory) ? undefined : folder);
    machines.set(memory, synced?.machine ?? '');
    return synced;
  };
  return {
    sync,
    befall(random) {
      const path = pick(random);
      if (!path.endsWith('.jsonl')) return;
      const dice = random();
      const text = readFileSync(path, 'utf8');
      if (dice < 0.3) writeFileSync(path, text.slice(0, Math.floor(text.length * random())));
      else if (dice < 0.5) writeFileSync(path, `<<<<<<< HEAD\n${text}`);
      else if (dice < 0.8) rmSync(path);
      else rmSync(join(path, '..'), { recursive: true });
    },
    async ended(memory) {
      const own = join(folder, machines.get(memory) ?? '');
      const aside = join(folder, '.aside');
      if (!machines.has(memory) || !readdirSync(folder).includes(machines.get(memory) ?? '')) return;
      renameSync(own, aside);
      writeFileSync(own, 'in the way');
      await failing(sync(memory));
      rmSync(own);
      renameSync(aside, own);
    },
  };
}

function branched(folder: string): Meeting {
  const remote = join(folder, 'remote.git');
  git(folder, 'init', '--quiet', '--bare', remote);
  const copies = new Map<Memory, string>();
  const sync = (memory: Memory) => {
    const own = copies.get(memory) ?? join(folder, `copies-${copies.size}`);
    const isFirst = !copies.has(memory);
    copies.set(memory, own);
    return memory.sync(isFirst ? `git:${remote}` : undefined, { copies: own });
  };
  return {
    sync,
    befall(random) {
      if (git(remote, 'branch', '--list', 'precedent') === '') return;
      const dice = random();
      if (dice < 0.2) return void git(remote, 'update-ref', '-d', 'refs/heads/precedent');
      const lines = git(remote, 'ls-tree', 'precedent').split('\n').filter(Boolean);
      const kept = dice < 0.6 ? lines : lines.filter(() => random() < 0.5);
      const input = kept.map((line) => `${line}\n`).join('');
      const tree = execFileSync('git', ['mktree'], { cwd: remote, input, encoding: 'utf8' }).trim();
      git(remote, 'update-ref', 'refs/heads/precedent', git(remote, 'commit-tree', tree, '-m', 'squashed'));
    },
    async ended(memory) {
      const hook = join(remote, 'hooks', 'pre-receive');
      writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      await failing(sync(memory));
      rmSync(hook);
    },
  };
}

/** The server is one of the machines; in its memory people and agents save, too. */
async function aroundServer(test: TestContext, memory: Memory): Promise<Meeting> {
  const { at, token, memory: there } = await served(test, memory);
  const known = new Set<Memory>();
  const sync = async (other: Memory) => {
    if (other === memory) return undefined;
    const synced = await other.sync(known.has(other) ? undefined : at, { token });
    known.add(other);
    return synced;
  };
  const { takeFacts } = there;
  const end = (isTaken: boolean) => {
    there.takeFacts = async (sent) => {
      there.takeFacts = takeFacts;
      if (isTaken) await takeFacts(sent);
      throw new Error('ended');
    };
  };
  return {
    sync,
    befall: (random) => end(random() < 0.5),
    async ended(other) {
      end(false);
      await failing(sync(other));
      there.takeFacts = takeFacts;
    },
  };
}

describe('[Y-1] [Y-4] [Y-6] [U-6] random lives of several machines end alike', () => {
  /** The first of a hundred others, to look for what no seed here finds. */
  const first = Number(process.env.PRECEDENT_TEST_LIVES ?? 0);
  const lives = Array.from({ length: first > 0 ? 100 : 36 }, (_, index) => (first || 1) + index);
  const seeds = first > 0 ? lives : lives.filter(isTried);
  for (const seed of seeds) {
    const way = ['a folder', 'a branch', 'a server'][seed % 3] as string;
    it(`by ${way} (${seed})`, async (test) => {
      const random = generator(seed);
      const folder = mkdtempSync(join(tmpdir(), 'precedent-lives-'));
      test.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
      const machines: Memory[] = [];
      const newId = idsFrom(generator(seed));
      const machine = (): Machine => {
        const skew = machines.length === 0 ? 0 : (random() - 0.5) * 2 * (seed % 2 ? 365 * DAY : 5000);
        let tick = 0;
        return {
          clock: () => Math.floor(Date.UTC(2026, 5, 1) + skew + tick++ * 977),
          newId,
          writer: { session: newId() },
        };
      };
      for (const { open } of [sqlite, engine, sqlite, engine].slice(0, 2 + ((seed % 5) % 3)))
        machines.push(await open(machine()));
      const one = () => machines[Math.floor(random() * machines.length)] as Memory;
      const meeting =
        way === 'a server'
          ? await aroundServer(test, machines[1] as Memory)
          : way === 'a branch'
            ? branched(folder)
            : shared(folder);
      for (const memory of machines) await meeting.sync(memory);
      for (let at = 0; at < 30; at++) {
        const memory = one();
        // A lock that is not named, a deletion of what is gone: refused, as a person is.
        await step(memory, random).catch(() => {});
        const other = one();
        if (random() < 0.04 && other !== memory)
          await memory.import(await exported(other), undefined, { merge: true });
        // Both go on with what one file of a memory was, under one name.
        if (random() < 0.03 && machines.length < 5) machines.push(...(await copiesOf(memory, machine())));
        if (random() < 0.1) meeting.befall(random);
        if (random() < 0.08) await meeting.ended(memory);
        if (random() < 0.25) await failing(meeting.sync(memory));
      }
      for (let round = 0; round < 3; round++)
        for (const memory of machines) await failing(meeting.sync(memory));
      for (const memory of machines) await meeting.sync(memory);
      const [alike, ...others] = await Promise.all(machines.map(shown));
      for (const other of others) assert.deepEqual(other, alike);
      const [names, ...more] = await namesIn(machines);
      for (const other of more) assert.deepEqual(other, names, 'a former name leads to one topic');
      for (const memory of machines) {
        assert.deepEqual((await memory.inspect()).problems, []);
        assert.equal((await meeting.sync(memory))?.said ?? 0, 0, 'nothing is said again and again');
      }
    });
  }
});
