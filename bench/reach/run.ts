import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { machine, print } from '../measure.ts';
import { install } from './install.ts';
import { ASKED, Judge, type Row } from './judge.ts';
import { type Agent, changeOfRead, type Memory, touch } from './memory.ts';
import { type Case, idsOf, makeRepository, readSet, type TestSet, withOwnRecords } from './set.ts';
import { beside, type Measured, whole } from './tables.ts';

/**
 * Reach and noise of memories: of the moments in which an agent is about to break a rule or repeat a failure, in how many its
 * text and why are in the agent's context before it acts. Records, cases and memories: README.md.
 *
 *   node bench/reach/run.ts [SET…] [--memory NAME or FILE]… [--all] [--held] [--no-hints] [--misses] [--packages FOLDER]
 *
 * A set is the name of a folder here, or a path. `--all` measures all of `memories/` beside each other. `--held` measures the
 * half of the cases that is not for choosing. `--misses` prints each case that went wrong. `--packages`
 * keeps what is installed from npm for the next run.
 */
const { values, positionals } = parseArgs({
  options: {
    memory: { type: 'string', multiple: true, default: ['precedent'] },
    all: { type: 'boolean' },
    held: { type: 'boolean' },
    'no-hints': { type: 'boolean' },
    misses: { type: 'boolean' },
    packages: { type: 'string' },
  },
  allowPositionals: true,
});
const HALF = values.held ? 'held' : 'work';
const WITH_HINTS = !values['no-hints'];
const OURS = join(import.meta.dirname, 'memories');

const home = mkdtempSync(join(tmpdir(), 'reach-'));
try {
  const memories = await chosen();
  for (const given of positionals.length > 0 ? positionals : ['small', 'large']) {
    const set = readSet(given);
    const hints = WITH_HINTS ? 'with' : 'without';
    print(`\n## ${given}: ${set.records.length} records, ${hints} hints, ${HALF} half\n`);
    machine();
    const all: Measured[] = [];
    for (const memory of memories) {
      const measured = await measure(set, memory).catch((error: Error) => {
        print(`\n${memory.name} is left out: ${error.message}`);
      });
      if (measured) all.push(measured);
    }
    for (const line of all.length === 1 ? whole(all[0] as Measured) : beside(all)) print(line);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
// A memory that failed as it was opened may have left its server running, which ends with this process.
process.exit();

async function chosen(): Promise<Memory[]> {
  const files = values.all ? readdirSync(OURS).map((file) => join(OURS, file)) : values.memory.map(fileOf);
  const modules = await Promise.all(files.map((file) => import(file) as Promise<{ memories: Memory[] }>));
  return modules.flatMap(({ memories }) => memories);
}

function fileOf(given: string): string {
  const file = [join(OURS, `${given}.ts`), resolve(given)].find(existsSync);
  if (file) return file;
  const names = readdirSync(OURS).map((each) => each.replace('.ts', ''));
  throw new Error(`Expected a file or one of ${names.join(', ')}, found "${given}".`);
}

async function measure(set: TestSet, memory: Memory): Promise<Measured> {
  const own = mkdtempSync(join(home, 'memory-'));
  const repository = join(own, 'project');
  makeRepository(repository, set.tree);
  const packages = values.packages ? resolve(values.packages) : join(home, 'packages');
  const installed = memory.package ? install(packages, memory.package, memory.native) : '';
  const agent = await memory.open({ home: own, repository, set, installed, withHints: WITH_HINTS });
  try {
    return await ask(set, memory, agent);
  } finally {
    await agent.close?.();
  }
}

async function ask(set: TestSet, memory: Memory, agent: Agent): Promise<Measured> {
  const cases = (name: Parameters<TestSet['cases']>[0], ...classes: string[]) =>
    set
      .cases(name)
      .filter((each) => each.half === HALF && (classes.length === 0 || classes.includes(kindOfCase(each))));
  const idle = memory.isStateless ? [] : cases('prompts', 'generic').map(({ text = '' }) => text);
  const judge = new Judge(set.records, agent, idle);
  const rows = new Map<string, Row>();
  const all = async (what: string, some: Case[], say: (each: Case) => Promise<string>) => {
    if (some.length === 0) return;
    const missed = (each: Case, said: string) => {
      const text = each.text ?? each.file ?? each.command ?? '';
      if (values.misses) print(`  ${each.id} ${idsOf(each).join(' ')} ${text}\n    → ${said || 'silent'}`);
    };
    rows.set(what, await judge.all(some, say, missed));
  };
  const prompt = ({ text = '' }: Case) => agent.prompt(text);
  await all('prompt that breaks, near words', cases('prompts', 'near'), prompt);
  await all('prompt that breaks, other words', cases('prompts', 'words'), prompt);
  await all('prompt that breaks, other language', cases('prompts', 'language'), prompt);
  await all('prompt that concerns a decision', cases('prompts', 'concern'), prompt);
  await all('prompt about nothing', cases('prompts', 'generic'), prompt);
  await all('edit or command, breaking', cases('changes', 'breaking'), (each) => agent.change(each));
  const innocent = cases('changes', 'innocent').map((each) => withOwnRecords(each, set.records));
  await all('edit or command, innocent', innocent, (each) => changeOfRead(agent, each));
  await all('error with a known cause', cases('errors', 'known'), (each) => agent.fail(each));
  await all('error without', cases('errors', 'none'), (each) => agent.fail(each));
  await all('file that is bound, before the change', cases('files'), (each) => touch(agent, each));
  const { asksToSave } = memory;
  if (asksToSave) {
    const asked = async (each: Case) => (asksToSave.test(await prompt(each)) ? ASKED : '');
    await all('moment of deciding: asked to save', cases('moments', 'deciding'), asked);
    await all('no such moment', cases('moments', 'none'), asked);
  }
  return {
    memory,
    rows,
    definitions: judge.tokens(agent.definitions ?? ''),
    start: judge.tokens(await agent.begin()),
  };
}

/** Prompts of one class are told apart by how they differ from their record. */
function kindOfCase(each: Case): string {
  return each.class === 'other' ? (each.how ?? '') : each.class;
}
