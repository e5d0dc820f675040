import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { scratch } from './support/engines.ts';
import { OF_PROGRAMS, PROGRAM } from './support/program.ts';

interface Workflow {
  on: unknown;
  permissions: Record<string, string>;
  jobs: Record<string, { steps: Step[] }>;
}
interface Step {
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  env?: Record<string, string>;
}

const PAGE = readFileSync('docs/check.md', 'utf8');
const blocks = (language: string) =>
  [...PAGE.matchAll(RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
const HOOK = blocks('sh').find((code) => code.startsWith('#!')) ?? '';
const [CHECK, COMMENT] = blocks('yaml').map((code) => parse(code) as Workflow) as [Workflow, Workflow];

/** What the program of GitHub answers here: one pull request, and the comments that were made. */
const GH = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const words = process.argv.slice(2);
const file = process.env.COMMENTS;
const comments = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
const path = words.find((each) => each.startsWith('repos/'));
const body = words.find((each) => each.startsWith('body=@'))?.slice('body=@'.length);
if (words.includes('PATCH')) comments[Number(path.split('/').at(-1)) - 1] = readFileSync(body, 'utf8');
else if (words.includes('POST')) comments.push(readFileSync(body, 'utf8'));
else if (path.endsWith('/pulls')) {
  if (words.includes('head=kim:work')) console.log('7\\tmain');
} else comments.forEach((_, index) => console.log(index + 1));
writeFileSync(file, JSON.stringify(comments));
`;

describe('the hook and the workflows of docs/check.md', {
  skip: process.platform === 'win32' && 'needs a POSIX shell',
}, () => {
  const folder = realpathSync(scratch());
  const programs = join(folder, 'programs');
  const script = (name: string, text: string) => {
    writeFileSync(join(programs, name), text);
    chmodSync(join(programs, name), 0o755);
  };
  mkdirSync(programs);
  script('precedent', `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  script('gh', `#!/bin/sh\nexec "${process.execPath}" "${join(programs, 'gh.mjs')}" "$@"\n`);
  script('gh.mjs', GH);
  script('npm', `#!/bin/sh\necho "$@" >> "${join(folder, 'installed')}"\n`);
  const env: NodeJS.ProcessEnv = {
    ...OF_PROGRAMS,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    COMMENTS: join(folder, 'comments.json'),
    GIT_AUTHOR_NAME: 'Kim',
    GIT_AUTHOR_EMAIL: 'kim@example.com',
    GIT_COMMITTER_NAME: 'Kim',
    GIT_COMMITTER_EMAIL: 'kim@example.com',
  };
  const origin = join(folder, 'origin.git');
  const desk = join(folder, 'desk');
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', words, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const put = (path: string, text: string) => {
    mkdirSync(join(desk, path, '..'), { recursive: true });
    writeFileSync(join(desk, path), text);
  };
  const commit = (message: string) => {
    git(desk, 'add', '--all');
    git(desk, 'commit', '--quiet', '--message', message);
  };
  const push = (...words: string[]) =>
    spawnSync('git', ['push', ...words], { cwd: desk, env, encoding: 'utf8' });

  /** Runs the commands of a workflow, in a work tree as the step that checks it out leaves it. */
  function perform({ jobs }: Workflow, cwd: string, known: Record<string, string>) {
    const [job] = Object.values(jobs);
    for (const step of (job as Workflow['jobs'][string]).steps) {
      if (step.run === undefined) continue;
      const own = Object.entries(step.env ?? {}).map(([name, value]) => [
        name,
        value.replace(/\$\{\{ (.*?) \}\}/g, (_, expression) => {
          assert(expression in known, expression);
          return known[expression] as string;
        }),
      ]);
      const ran = spawnSync('bash', ['-e', '-c', step.run], {
        cwd,
        env: { ...env, ...Object.fromEntries(own) },
        encoding: 'utf8',
      });
      if (ran.status !== 0) return ran;
    }
    return { status: 0, stdout: '', stderr: '' };
  }
  /** A fresh clone, as a runner has it. */
  function runner(name: string, ref?: string): string {
    const path = join(folder, name);
    git(folder, 'clone', '--quiet', origin, path);
    if (ref === undefined) return path;
    git(path, 'fetch', '--quiet', 'origin', ref);
    git(path, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
    return path;
  }
  /** What the forge makes of a pull request: its head, and its merge into the base. */
  function open(): string {
    git(desk, 'checkout', '--quiet', '--detach', 'origin/main');
    git(desk, 'merge', '--quiet', '--no-ff', 'work');
    git(
      desk,
      'push',
      '--quiet',
      '--no-verify',
      '--force',
      'origin',
      'work:refs/pull/7/head',
      'HEAD:refs/pull/7/merge',
    );
    git(desk, 'checkout', '--quiet', 'work');
    return git(desk, 'rev-parse', 'work');
  }
  const known = (commitOf: string) => ({
    'vars.PRECEDENT_TARBALL': 'https://files.example/precedent.tgz',
    'github.base_ref': 'main',
    'github.token': 'token',
    'github.repository': 'kim/shop',
    'github.event.workflow_run.head_repository.owner.login': 'kim',
    'github.event.workflow_run.head_branch': 'work',
    'github.event.workflow_run.head_sha': commitOf,
  });

  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', origin);
  git(folder, 'clone', '--quiet', origin, desk);
  git(desk, 'checkout', '--quiet', '-B', 'main');
  put(
    'docs/adr/0001-sessions.md',
    '---\nstatus: accepted\nstrength: lock\naffects: [src/auth/**]\n---\n# Cookies <b>@all</b>\n\n## Decision Outcome\n\nHttpOnly cookies.\n',
  );
  put('src/auth/로그인.ts', 'one\n');
  commit('one');
  assert.equal(push('origin', 'main').status, 0);
  writeFileSync(join(desk, '.git/hooks/pre-push'), HOOK);
  chmodSync(join(desk, '.git/hooks/pre-push'), 0o755);
  git(desk, 'checkout', '--quiet', '-b', 'work');
  renameSync(join(desk, 'src/auth/로그인.ts'), join(desk, 'src/moved.ts'));
  put('package.json', '{ "scripts": { "preinstall": "touch ran" } }');
  commit('moved');

  it('[F-5] the hook keeps a branch back that moves what a lock names without a word, and the squash of it; a trailer is enough', () => {
    const refused = push('origin', 'work');
    assert.notEqual(refused.status, 0);
    assert.match(
      refused.stdout,
      /adr:0001-sessions[\s\S]*touched: src\/auth\/로그인\.ts[\s\S]*not mentioned/,
    );
    git(desk, 'commit', '--quiet', '--amend', '--message', 'moved\n\nDecision: adr:0001-sessions');
    assert.equal(push('origin', 'work').status, 0);
    git(desk, 'checkout', '--quiet', '-B', 'squash', 'main');
    git(desk, 'merge', '--quiet', '--squash', 'work');
    git(desk, 'commit', '--quiet', '--message', 'all of it');
    assert.notEqual(push('origin', 'squash:main').status, 0);
    git(desk, 'commit', '--quiet', '--amend', '--message', 'all of it\n\nDecision: adr:0001-sessions');
    assert.equal(push('origin', 'squash').status, 0);
    // Nothing to look at.
    assert.equal(push('origin', '--delete', 'squash').status, 0);
  });

  it('[F-5] the workflow tells the summary, and fails without a word', () => {
    git(desk, 'checkout', '--quiet', 'work');
    git(desk, 'commit', '--quiet', '--amend', '--message', 'moved');
    open();
    const failed = perform(CHECK, runner('failed', 'refs/pull/7/merge'), known(''));
    assert.equal(failed.status, 1, failed.stderr);
    const summary = readFileSync(env.GITHUB_STEP_SUMMARY as string, 'utf8');
    assert.match(summary, /1 decision for 3 changed files[\s\S]*\*\*touched but not mentioned\*\*/);
    assert.doesNotMatch(summary, /<b>|@all/);
    git(desk, 'commit', '--quiet', '--amend', '--message', 'moved\n\nDecision: adr:0001-sessions');
    open();
    const passed = perform(CHECK, runner('passed', 'refs/pull/7/merge'), known(''));
    assert.equal(passed.status, 0, passed.stderr);
    assert.match(
      readFileSync(join(folder, 'installed'), 'utf8'),
      /^install --global https:\/\/files\.example/,
    );
  });

  it('[F-5] the comment is one, which is kept up to date; nothing of the change is checked out', () => {
    const tree = runner('commenting');
    for (const message of ['moved', 'moved\n\nDecision: adr:0001-sessions']) {
      git(desk, 'commit', '--quiet', '--amend', '--message', message);
      const ran = perform(COMMENT, tree, known(open()));
      assert.equal(ran.status, 0, ran.stderr);
      const comments = JSON.parse(readFileSync(env.COMMENTS as string, 'utf8')) as string[];
      assert.equal(comments.length, 1);
      assert.equal(comments[0]?.includes('touched but not mentioned'), message === 'moved');
      const mark = /startswith\("(.+?)"\)/.exec(PAGE)?.[1] ?? '-';
      assert(comments[0]?.startsWith(mark), 'it is found again');
    }
    assert.equal(git(tree, 'rev-parse', 'HEAD'), git(tree, 'rev-parse', 'origin/main'));
    assert(!existsSync(join(tree, 'package.json')));
    // A pull request that is closed by now, or was pushed to since.
    const gone = perform(COMMENT, tree, { ...known(''), 'github.event.workflow_run.head_branch': 'gone' });
    assert.equal(gone.status, 0, gone.stderr);
  });

  it('[F-5] neither has a secret or more rights than it needs, and no text of an event is a part of a command', () => {
    assert.equal(CHECK.on, 'pull_request');
    assert.deepEqual(CHECK.permissions, { contents: 'read' });
    assert.deepEqual(Object.keys(COMMENT.on as object), ['workflow_run']);
    assert.deepEqual(COMMENT.permissions, { contents: 'read', 'pull-requests': 'write' });
    assert.doesNotMatch(PAGE, /secrets\.|pull_request_target/);
    const steps = [CHECK, COMMENT].flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps));
    assert.equal(steps.filter(({ run }) => run !== undefined).length, 4);
    for (const step of steps) {
      assert.doesNotMatch(step.run ?? '', /\$\{\{/);
      assert(step.with?.ref === undefined, 'what is checked out is what the event is about');
    }
    const [first] = Object.values(CHECK.jobs)[0]?.steps ?? [];
    assert.equal(first?.with?.['persist-credentials'], false);
  });
});
