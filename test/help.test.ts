import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { after, before, describe, it, type TestContext } from 'node:test';
import { catalogue } from '../src/cli/catalogue/catalogue.ts';
import { OUTCOME_COMMANDS } from '../src/domain/outcome.ts';
import { operations } from '../src/operations/index.ts';
import { terminal } from './support/pages.ts';
import { isTried } from './support/part.ts';
import { workbench } from './support/program.ts';

const POSIX = { skip: process.platform === 'win32' && 'needs a POSIX shell' };

/** What the examples speak of. */
const SEED = `
precedent decide db:engine "One file per project" --reasoning "Nothing to install"
precedent decide auth:token "Session cookies" --reasoning "builds_on: db:engine"
precedent decide auth:tokens "JWT in local storage"
precedent decide ui:grid "Eight pixels"
precedent decide ui:grid "Eight pixels, four in tables"
precedent note "Clock skew" "Tokens fail when a host is two minutes off" --type bugfix
precedent note "NTP" "chrony on every host"
precedent relate 1 caused_by 2
precedent memo "Mirror starts with one NetworkManager" --keywords mirror
precedent checkpoint "Login works"
PRECEDENT_DB= precedent note a b --workspace shop
PRECEDENT_DB= precedent note a b --workspace old-shop
printf 'Half of the build is type checking' > notes.txt
`;
/** Commands that need what another example made. */
const AFTER: Record<string, string> = {
  backup: 'precedent backup kept.db',
  import:
    'precedent export --format jsonl > why.jsonl; echo \'{"type":"entity","name":"a","observations":["b"]}\' > memory.jsonl',
  undo: 'precedent undo',
  check:
    'git init --quiet --initial-branch=main && git -c user.name=Kim -c user.email=kim@example.com commit --quiet --allow-empty --message one',
  undelete: 'precedent delete 2; precedent delete 5d0c1f7e',
  'token revoke': 'precedent token add ci',
  redact: 'PRECEDENT_AUTHOR="Kim Minsu <minsu@example.com>" precedent decide desk:lamp "On the left"',
  sync: 'precedent sync --init ./shared --yes',
};
/** The id of the memo in examples. */
const MEMO = `$(precedent log kind:memo --json | sed -n 's/.*"id": "\\(.*\\)",/\\1/p')`;
const withIds = (command: string) => command.replace('5d0c1f7e', MEMO);
/** What an example cannot do in a test, with the reason. */
const LEFT_OUT = new Map([
  ['serve', 'serves until it is ended; test/http/serve.test.ts starts it'],
  ['open', 'serves until it is ended; test/http/serve.test.ts starts it'],
  ['settle', 'ends what two machines decided differently; test/sync.test.ts makes two'],
]);

/** The commands for people; the others are the tools of agents, for scripts. */
const people = catalogue.filter(({ words: [first] }) => first !== 'tool');

describe('[U-8] help', () => {
  const { folder, type } = terminal();
  const seeded = `${folder}.seeded`;
  before(() => {
    if (POSIX.skip) return;
    type(`(${SEED}) 2>/dev/null`);
    cpSync(folder, seeded, { recursive: true });
  });
  after(() => rmSync(seeded, { recursive: true, force: true }));

  for (const command of people.filter((_, index) => isTried(index))) {
    const name = command.words.join(' ');
    const skip = POSIX.skip || (LEFT_OUT.get(name) ?? false);
    it(`of ${name} has examples, and they work`, { skip }, () => {
      assert(command.examples.length > 0, 'no example');
      for (const example of command.examples) {
        rmSync(folder, { recursive: true });
        cpSync(seeded, folder, { recursive: true });
        if (AFTER[name]) type(`(${withIds(AFTER[name])}) 2>/dev/null`);
        // A file that is named is one memory by itself.
        const place = /^workspaces\b|--all/.test(example) ? 'unset PRECEDENT_DB; ' : '';
        const input = example.includes('<') ? '' : ' < /dev/null';
        type(`(${place}precedent ${withIds(example)}${input}) 2>/dev/null`);
      }
    });
  }

  const helpOf = async (test: TestContext, ...args: string[]) =>
    workbench(test, 'here').succeed(args, { env: { COLUMNS: '80' } });

  it('begins with a dozen lines in groups, also without a word', async (test) => {
    const help = await helpOf(test, '--help');
    assert.equal(await helpOf(test), help);
    const lines = help.trimEnd().split('\n');
    assert(lines.length <= 16, help);
    for (const word of ['decide', 'why', 'failed', 'note', 'Agents', 'Care', 'doctor', 'sync'])
      assert(help.includes(word), word);
  });

  it('tells programs of every command, with arguments and options', async (test) => {
    const { commands } = JSON.parse(await helpOf(test, '--help', '--json'));
    const failed = commands.find(({ command }: { command: string }) => command === 'failed');
    assert.deepEqual(
      failed.arguments.map(({ name }: { name: string }) => name),
      ['id', 'reason'],
    );
    assert.equal(failed.tool, 'mama_update');
    assert(commands.some(({ command }: { command: string }) => command === 'tool trigger'));
  });

  it('names no option of a command as one of all commands, which would take what is typed', async (test) => {
    const [, ofAll = ''] = (await helpOf(test, 'show', '--help')).split('Global Options:');
    const taken = [...ofAll.matchAll(/^ +--([a-z-]+)/gm)].map(([, name]) => name);
    assert(taken.includes('person'), ofAll);
    for (const { words, options } of catalogue)
      assert.deepEqual(
        options.filter(({ name }) => taken.includes(name)),
        [],
        words.join(' '),
      );
  });

  it('shows what is required, and limits', async (test) => {
    const flat = async (...args: string[]) => (await helpOf(test, ...args)).replace(/\s+/g, ' ');
    assert.match(await flat('failed', '--help'), /precedent failed <id> \[reason\] /);
    assert.match(await flat('checkpoint', '--help'), /precedent checkpoint \[summary\] /);
    assert.match(
      await flat('search', '--help'),
      /<query\.\.\.>.*Maximum results; default: the best \(1 to 50\)/,
    );
    assert.match(await flat('decide', '--help'), /at most 2,000 characters/);
    assert.match(
      await flat('import', '--help'),
      /{"operation":"mama_update","id":"auth:token","outcome":"failed",/,
    );
  });

  it('speaks of no tool, and of no field as a program writes it', () => {
    const tools = operations.map(({ name }) => name).filter((name) => name.includes('_'));
    for (const { words, title, about, arguments: given, options } of people) {
      const said = [title, about, ...[...given, ...options].map((field) => field.about)].join('\n');
      for (const tool of tools) assert(!said.includes(tool), `${words.join(' ')} names ${tool}`);
      assert.doesNotMatch(said, /: true\b|Call it first/, words.join(' '));
    }
  });

  it('a mistake names the help of its own command', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['decide', 'a:b', 'One']);
    for (const args of [['why'], ['failed', 'x', '--reasn', 'y'], ['tool', 'mama_search', '--limit', '90']]) {
      const { code, stderr } = await bench.run(args);
      assert.equal(code, 2);
      const [first, second] = args;
      const words = first === 'tool' ? `${first} ${second}` : first;
      assert(stderr.includes(`, see "precedent ${words} --help")`), stderr);
    }
  });

  it('[U-8] a command without what it needs says what to type, with an example', async (test) => {
    const { run } = workbench(test, 'here');
    for (const { words, operation, arguments: own, examples } of people) {
      if (!operation || !own.some(({ required }) => required)) continue;
      const { code, stderr } = await run(words);
      const [, said, , missing] = /Expected "(precedent (.+?) <.+?)", found no (<.+>)\. /.exec(stderr) ?? [];
      assert.equal(code, 2, stderr);
      assert.ok(said?.startsWith(`precedent ${words.join(' ')} <`) && missing, stderr);
      assert.ok(stderr.includes(`As in: precedent ${examples[0]}\n`), stderr);
    }
    assert.match(
      (await run(['why'])).stderr,
      /^precedent: Expected "precedent why <ref...>", found no <ref...>\. As in/,
    );
    assert.match((await run(['decide', 'a:b'])).stderr, /found no <decision>\. /);
  });

  it('a field is refused by the name of its option', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['decide', 'a:b', 'One']);
    const expected: [string, ...string[]][] = [
      ['Expected --at as a date', 'list', '--at', 'someday'],
      ['Expected "kind" to be one of', 'log', '--kind', 'nope'],
      ['Expected "limit" to be', 'search', 'one', '--limit', '90'],
    ];
    for (const [words, ...args] of expected) {
      const { code, stderr } = await bench.run(args);
      assert.equal(code, 2);
      assert(stderr.includes(words), stderr);
    }
  });

  it('is of the command that is named, with the word before it or the option behind it', async (test) => {
    const bench = workbench(test, 'here');
    const behind = await bench.succeed(['tool', 'mama_save', '--help']);
    assert.equal(await bench.succeed(['help', 'tool', 'mama_save']), behind);
    assert.equal(await bench.succeed(['help']), await bench.succeed(['--help']));
    const list = await bench.succeed(['list', '--help']);
    for (const each of ['notes [filter...]', '"precedent list" alone is', '--no-evidence'])
      assert(list.includes(each), `${each} is not in: ${list}`);
  });

  it('[V-7] words of other programs lead to the command', async (test) => {
    const bench = workbench(test, 'here');
    for (const [word, command] of Object.entries({
      rm: 'withdraw',
      status: 'doctor',
      ls: 'list',
      ui: 'open',
      clean: 'review',
      outcome: 'failed',
    })) {
      const { code, stderr } = await bench.run([word]);
      assert.equal(code, 2, word);
      assert(stderr.includes(`"precedent ${command}"`), stderr);
    }
  });

  it('of a command that does not exist is none, but what was meant', async (test) => {
    const bench = workbench(test, 'here');
    for (const args of [
      ['help', 'decidee'],
      ['decidee', '--help'],
      ['tool', 'mama_sav', '-h'],
      ['help', 'tool', 'mama_sav'],
    ]) {
      const { code, stdout, stderr } = await bench.run(args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /unknown command '(decidee|mama_sav)'\n\(Did you mean (decide|mama_save)\?\)/);
    }
  });

  it('takes --scope and --domain for the same where both mean it', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['decide', 'a:b', 'One', '--domain', 'shop']);
    for (const option of ['--scope', '--domain']) {
      const { results } = JSON.parse(await bench.succeed(['tool', 'mama_search', option, 'shop', '--json']));
      assert.equal(results.length, 1, option);
    }
  });

  it('[V-7] names every command for people, and each operation can be called as a tool', async (test) => {
    const help = await helpOf(test, '--help');
    for (const [first] of people.map(({ words }) => words)) assert.match(help, new RegExp(`\\b${first}\\b`));
    const tools = await helpOf(test, 'tool', '--help');
    for (const { name } of operations) assert.match(tools, new RegExp(`^ {2}${name} `, 'm'));
  });

  it('commands for people do what their operations do', async (test) => {
    const bench = workbench(test, 'here');
    const json = async (...args: string[]) => JSON.parse(await bench.succeed([...args, '--json']));
    const { id } = await json('decide', 'auth:token', 'JWT', '--reasoning', 'Simple');
    assert.equal((await json('failed', 'auth:token', 'A script read it')).outcome, 'failed');
    assert.equal((await json('why', 'auth:token')).decision.decision.id, id);
    assert.equal((await json('why', 'script', 'read')).results[0].id, id);
    const saved = await json('decide', 'auth:token', 'Cookies');
    assert.deepEqual([saved.version, saved.supersedes], [2, id]);
    for (const [outcome, command] of Object.entries(OUTCOME_COMMANDS))
      assert.equal((await json(...command.split(' '), 'auth:token', 'Not on Safari')).outcome, outcome);
    assert((await json('withdraw', 'auth:token', 'No login any more')).decision.withdrawn);
    await json('checkpoint', 'Login works', '--next-steps', 'Refresh');
    assert.equal((await json('checkpoint')).checkpoint.next_steps, 'Refresh');
    assert.equal((await json('note', 'NTP', 'chrony', '--type', 'config')).id, 1);
  });

  it('[U-8] a switch that means another thing refuses what is not for it', async (test) => {
    const { run, succeed } = workbench(test, 'here');
    await succeed(['memo', 'Mirror starts with one NetworkManager', '--keywords', 'mirror']);
    assert.match(
      (await run(['memo', '--more', '--keywords', 'unity'])).stderr,
      /^precedent: Expected --more without keywords, found both\./,
    );
    // Nobody loses next steps because the text before them was forgotten.
    const { code, stderr } = await run(['checkpoint', '--next-steps', 'Refresh']);
    assert.equal(code, 2);
    assert.match(stderr, /summary/);
  });
});
