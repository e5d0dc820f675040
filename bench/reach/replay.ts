import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { print } from '../measure.ts';
import { memories, openOwn } from './memories/precedent.ts';
import { type Agent, changeOfRead, touch } from './memory.ts';
import { type Case, makeRepository, readSet } from './set.ts';

/**
 * Ordinary work beside the memories of the sets: at how many edits out of the histories of repositories something is said, and how
 * much in a session of 20 prompts and 40 edits.
 *
 *   node bench/reach/replay.ts [SET…] REPOSITORY… [--each 250] [--own] [--said]
 *
 * `--own` asks memories of the decision records in each repository instead. `--said` prints what is said. Hunks come from commits
 * that lie evenly over the history, and prompts are the first lines of these commits; merges, deletions, and files that are no
 * text are left out.
 */
const flag = process.argv.indexOf('--each');
const EACH = flag < 0 ? 250 : Number(process.argv[flag + 1]);
const IS_OWN = process.argv.includes('--own');
const IS_EXPLAINING = process.argv.includes('--said');
const given = process.argv
  .slice(2)
  .filter((each, at, all) => !each.startsWith('--') && all[at - 1] !== '--each');
const isSet = (each: string) => existsSync(join(import.meta.dirname, each, 'records.jsonl'));
const repositories = given.filter((each) => !isSet(each));
const chosen = given.filter(isSet);

interface Edit {
  file: string;
  /** The first line of its commit. */
  subject: string;
  /** The file before; empty of a new one. */
  content: string;
  old: string;
  new: string;
}

const ask = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-C', folder, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Edits of a history, one hunk of a commit each. */
function edits(folder: string, count: number): Edit[] {
  const commits = ask(folder, 'log', '--no-merges', '--format=%H').trim().split('\n');
  const found: Edit[] = [];
  const step = Math.max(1, Math.floor(commits.length / (2 * count)));
  for (let at = 0; at < commits.length; at += step) {
    const commit = commits[at] ?? '';
    const patch = ask(folder, 'show', '--format=', '--unified=2', '--no-renames', '--diff-filter=AM', commit);
    const parts = patch
      .split(/^diff --git /m)
      .slice(1)
      // Neither a link nor the commit of a submodule.
      .filter((part) => part.includes('\n@@ ') && / mode 100|^index \S+ 100/m.test(part));
    const part = parts[at % Math.max(1, parts.length)];
    const file = part?.match(/^\+\+\+ b\/(.*)$/m)?.[1];
    const hunk = part?.split(/^@@ .*$/m)[1];
    if (part === undefined || file === undefined || hunk === undefined) continue;
    const side = (sign: string) =>
      hunk
        .split('\n')
        .filter((line) => line.startsWith(' ') || line.startsWith(sign))
        .map((line) => line.slice(1))
        .join('\n');
    const isNew = part.includes('\nnew file mode');
    const edit = {
      file,
      subject: ask(folder, 'log', '-1', '--format=%s', commit).trim(),
      old: isNew ? '' : side('-'),
      new: side('+'),
      content: isNew ? '' : ask(folder, 'show', `${commit}^:${file}`),
    };
    if (edit.new !== '' && edit.new.length < 20_000) found.push(edit);
  }
  return found.filter(
    (_, at) => Math.floor((at * count) / found.length) !== Math.floor(((at - 1) * count) / found.length),
  );
}

const HEAD = `| history | edits | something is said | of these of the file alone | prompts | something is said |
|---|---|---|---|---|---|`;

/** A row of the table: the edits and prompts of a history, each in a session of its own. */
async function ordinary(agent: Agent, folder: string, repository: string): Promise<string> {
  let [said, bound, told] = [0, 0, 0];
  const all = edits(folder, EACH);
  for (const { content, ...edit } of all) {
    await agent.begin();
    const file = join(repository, edit.file);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const tool = edit.old === '' ? 'Write' : 'Edit';
    const change: Case = { ...edit, id: '', class: '', half: 'work', tool };
    const text = await agent.change(change);
    rmSync(file);
    if (text !== '') said++;
    if (text !== '' && !text.includes('On what this writes')) bound++;
    await agent.begin();
    const shown = await agent.prompt(edit.subject);
    if (shown !== '') told++;
    if (!IS_EXPLAINING) continue;
    if (text !== '') print(`  ${edit.file}: ${edit.subject}\n${edit.new.slice(0, 1500)}\n→ ${text}\n`);
    if (shown !== '') print(`  PROMPT ${edit.subject}\n→ ${shown}\n`);
  }
  const name = folder.split('/').slice(-2).join('/');
  return `| ${name} | ${all.length} | ${said} | ${bound} | ${all.length} | ${told} |`;
}

/** The same beside the memory of a repository's own decision records. */
async function beside(folder: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'precedent-replay-'));
  try {
    const repository = join(home, 'project');
    execFileSync('git', ['clone', '-q', resolve(folder), repository]);
    const agent = await openOwn(home, repository);
    print(await ordinary(agent, folder, repository));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Tokens as the hooks themselves estimate them would flatter: four characters each, as the table of reach. */
const tokensOf = (text: string) => Math.ceil(text.length / 4);

async function replay(set: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'precedent-replay-'));
  try {
    const { cases, ...rest } = readSet(set);
    const repository = join(home, 'project');
    makeRepository(repository, rest.tree);
    const place = { home, repository, set: { cases, ...rest }, installed: '', withHints: true };
    const agent = (await memories[0]?.open(place)) as Agent;
    print(`\n## ${set}\n\n${HEAD}`);
    for (const folder of repositories) print(await ordinary(agent, folder, repository));
    print('\n| session | start | 20 prompts | 40 edits | all, tokens |\n|---|---|---|---|---|');
    const work = (name: 'prompts' | 'changes', ...classes: string[]) =>
      cases(name).filter((each) => each.half === 'work' && classes.includes(each.class));
    const pick = <Item>(all: Item[], count: number, from: number) =>
      Array.from({ length: Math.min(count, all.length) }, (_, at) => all[(from + at) % all.length] as Item);
    for (let n = 0; n < 5; n++) {
      const prompts = [
        ...pick(work('prompts', 'generic'), 14, n * 14),
        ...pick(work('prompts', 'concern', 'near', 'other'), 6, n * 6),
      ];
      const files = cases('files').filter(({ half }) => half === 'work');
      const changes = [
        ...pick(work('changes', 'innocent'), 13, n),
        ...pick(files, 15, n),
        ...pick(work('changes', 'breaking'), 2, n * 2),
      ];
      const start = tokensOf(await agent.begin());
      let [prompted, edited] = [0, 0];
      for (const { text = '' } of prompts) prompted += tokensOf(await agent.prompt(text));
      for (const each of pick(changes, 40, 0).concat(pick(changes, 40 - changes.length, 5)))
        edited += tokensOf(each.action ? await touch(agent, each) : await changeOfRead(agent, each));
      print(`| ${n + 1} | ${start} | ${prompted} | ${edited} | ${start + prompted + edited} |`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (IS_OWN) {
  print(`\n## own decision records\n\n${HEAD}`);
  for (const folder of repositories) await beside(folder);
} else for (const set of chosen.length > 0 ? chosen : ['small', 'large']) await replay(set);
