import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { workbench } from './support/program.ts';

describe('precedent check', () => {
  const bench = workbench({ after }, 'here');
  const top = join(bench.folder, '저장소 1');
  mkdirSync(join(top, 'src'), { recursive: true });
  const dates = { GIT_AUTHOR_DATE: '2020-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' };
  const git = (words: string[], env: Record<string, string> = {}) =>
    execFileSync('git', ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.com', ...words], {
      cwd: top,
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
  const commit = (message: string, env = {}) => {
    git(['add', '--all']);
    git(['commit', '--quiet', '--message', message], env);
  };
  /** After all that the memory says, whatever the clock. */
  const later = { GIT_AUTHOR_DATE: '2090-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2090-01-01T00:00:00Z' };
  const run = (...words: string[]) => runAs('Kim <kim@example.com>', ...words);
  const runAs = (author: string, ...words: string[]) =>
    bench.run(words, { cwd: top, env: { PRECEDENT_AUTHOR: author } });
  for (const file of ['src/세션 a.ts', 'src/other.ts', 'free.md'])
    writeFileSync(join(top, file), `${file}\n`);
  git(['init', '--quiet', '--initial-branch=main']);
  commit('one', later);

  it('[F-5] tells what a branch, a rename and a squash touch; strictly, a lock without a word is an error', async () => {
    for (const words of [
      ['auth:session', 'Sessions end <b>@all</b>', '--strength', 'lock', '--file', 'src/세션*'],
      ['docs:free', 'Free text', '--file', '*.md'],
    ])
      assert.equal((await run('decide', ...words)).code, 0);
    git(['checkout', '--quiet', '-b', 'work']);
    renameSync(join(top, 'src/세션 a.ts'), join(top, 'src/moved.ts'));
    writeFileSync(join(top, 'free.md'), 'changed');
    git(['add', '--all']);
    const staged = await run('check', '--staged', '--strict');
    assert.equal(staged.code, 1, staged.stderr);
    assert.match(
      staged.stdout,
      /auth:session[\s\S]*touched: src\/세션 a\.ts[\s\S]*not mentioned[\s\S]*docs:free/,
    );
    commit('two', later);
    for (const range of ['main', 'main..work', 'main...HEAD']) {
      assert.equal((await run('check', range)).code, 0, range);
      assert.equal((await run('check', range, '--strict', '--format', 'json')).code, 1, range);
    }
    const { stdout } = await run('check', 'main', '--format', 'markdown');
    assert.match(stdout, /2 decisions for 3 changed files/);
    assert.doesNotMatch(stdout, /<b>|@all/);
    // What main gets meanwhile is not of the change.
    git(['checkout', '--quiet', 'main']);
    writeFileSync(join(top, 'src/other.ts'), 'changed');
    commit('meanwhile', later);
    assert.match((await run('check', 'main..work')).stdout, /2 decisions for 3 changed files/);
    git(['merge', '--quiet', '--squash', 'work']);
    commit('squashed\n\nDecision: auth:session', later);
    assert.match((await run('check', 'work~1..work')).stdout, /2 decisions for 3 changed files/);
    const squashed = await run('check', 'HEAD~1', '--strict');
    assert.equal(squashed.code, 0);
    assert.match(squashed.stdout, /^ +mentioned$/m);
    assert.match((await run('check')).stdout, /0 decisions for 0 changed files/);
  });

  it('[F-5] a version since the commit that the change starts from is a word', async () => {
    git(['checkout', '--quiet', '--orphan', 'old']);
    writeFileSync(join(top, 'src/세션 b.ts'), 'one');
    commit('one', dates);
    writeFileSync(join(top, 'src/세션 b.ts'), 'two');
    commit('two', dates);
    const { code, stdout } = await run('check', 'HEAD~1', '--strict');
    assert.equal(code, 0);
    assert.match(stdout, /auth:session[\s\S]*\n +mentioned\n/);
  });

  it('[TR-1] a lock that a colleague made or said anew since then is not mentioned by that, committed or staged', async () => {
    git(['checkout', '--quiet', '--orphan', 'colleagues']);
    writeFileSync(join(top, 'src/of-lee.ts'), 'one');
    commit('one', dates);
    const lee = (...words: string[]) => runAs('Lee <lee@example.com>', ...words);
    const lock = ['--strength', 'lock', '--file', 'src/of-lee.ts'];
    assert.equal((await lee('decide', 'lee:lock', 'Locked', ...lock)).code, 0);
    const replace = async (as: typeof run, text: string, ...more: string[]) => {
      const { decision } = JSON.parse((await run('show', 'lee:lock', '--json')).stdout);
      const said = await as('decide', 'lee:lock', text, '--replaces', decision.decision.id, ...lock, ...more);
      assert.equal(said.code, 0, said.stderr);
    };
    writeFileSync(join(top, 'src/of-lee.ts'), 'two');
    git(['add', '--all']);
    const staged = async (as = run) => (await as('check', '--staged', '--strict')).code;
    assert.equal(await staged(), 1, 'its first version');
    assert.equal(await staged(lee), 0, 'the one who laid it down is the one who changes the file');
    await replace(lee, 'Locked anew', '--reasoning', 'It still holds');
    assert.equal(await staged(), 1, 'a version of a colleague');
    assert.equal((await lee('worked', 'lee:lock', 'It held')).code, 0);
    assert.equal(await staged(), 1, 'an outcome of a colleague');
    commit('two', later);
    const committed = async (as = run) => (await as('check', 'HEAD~1', '--strict')).code;
    assert.equal(await committed(), 1);
    assert.equal(await committed(lee), 1, 'whoever runs it');
    for (const [author, trailer, code] of [
      ['Lee <LEE@example.com>', '', 0],
      ['Kim <kim@example.com>', '\n\nCo-authored-by: Lee of work <lee@example.com>', 0],
      ['Lee <other@example.com>', '', 1],
    ] as const) {
      git(['commit', '--quiet', '--amend', `--author=${author}`, '--message', `two${trailer}`], later);
      assert.equal(await committed(), code, author + trailer);
    }
    await replace(run, 'Locked anew', '--reasoning', 'It still holds', '--file', 'docs/kim.md');
    const own = ['commit', '--quiet', '--amend', '--author=Kim <kim@example.com>', '--message', 'two'];
    git(own, later);
    assert.equal(await committed(), 1, 'another file');
    await replace(run, 'Not for this file', '--reasoning', 'We agreed');
    assert.equal(await committed(), 0);
  });

  it('[F-5] another file is no word, nor is what was undone; a name in the other form of its letters is one', async () => {
    git(['checkout', '--quiet', '--orphan', 'dated']);
    writeFileSync(join(top, 'src/d.ts'), 'one');
    commit('one', dates);
    writeFileSync(join(top, 'src/d.ts'), 'two');
    commit('two', later);
    const lock = ['--strength', 'lock', '--file', 'src/d.ts', '--date', '2019-06-01'];
    assert.equal((await run('decide', '인증:d', 'First', ...lock)).code, 0);
    const isSaid = async () => (await run('check', 'HEAD~1', '--strict')).code === 0;
    assert.equal(await isSaid(), false);
    for (const words of [
      ['revise', '인증:d', '--add-file', 'docs/**'],
      ['undo', '--yes'],
    ]) {
      assert.equal((await run(...words)).code, 0, words.join(' '));
      assert.equal(await isSaid(), false, words.join(' '));
    }
    git(
      ['commit', '--quiet', '--amend', '--message', `two\n\nDecision: ${'인증:d'.normalize('NFD')}`],
      later,
    );
    assert.equal(await isSaid(), true);
  });

  it('[F-5] who takes a file off does not free the change; a lock that is lowered or ended with a reason was spoken of', async () => {
    git(['checkout', '--quiet', '-B', 'loosened', 'main']);
    writeFileSync(join(top, 'src/e.ts'), 'one');
    commit('one', dates);
    writeFileSync(join(top, 'src/e.ts'), 'two');
    commit('two', later);
    const strictly = () => run('check', 'HEAD~1', '--strict');
    const lock = ['--strength', 'lock', '--file', 'src/e.ts', '--date', '2019-06-01'];
    assert.equal((await run('decide', 'e:lock', 'Locked', ...lock)).code, 0);
    const why = async () => {
      const { decision } = JSON.parse((await run('show', 'e:lock', '--json')).stdout);
      return ['--replaces', decision.decision.id, '--reasoning', 'It was too strict'];
    };
    const then = String.raw`[^]*touched, though it no longer names them: src/e\.ts\n[^]*`;
    for (const [words, code, said, state = 'active'] of [
      [['revise', 'e:lock', '--remove-file', 'src/e.ts'], 1, 'not mentioned', 'superseded'],
      [['decide', 'e:lock', 'Locked', '--strength', 'normal'], 0, ' {2}mentioned'],
      [['withdraw', 'e:lock'], 0, ' {2}mentioned', 'superseded'],
    ] as const) {
      const done = await run(...words, ...(await why()).slice(0, code === 0 ? 4 : 2));
      assert.equal(done.code, 0, done.stderr);
      const ran = await strictly();
      assert.equal(ran.code, code, ran.stdout);
      assert.match(ran.stdout, new RegExp(`e:lock {2}${state}${then}${said}`));
      await run('undo', '--yes');
      assert.equal((await strictly()).code, 1);
    }
    await run('undo', '--yes');
    const none = await strictly();
    assert.deepEqual([none.code, /e:lock/.test(none.stdout)], [0, false]);
  });

  it('[F-1] [F-3] [F-5] a comment in the file before the change names a decision, and so does the old name of a file', async () => {
    git(['checkout', '--quiet', '-B', 'marked', 'main']);
    const text = (name: string) => Array.from({ length: 20 }, (_, line) => `${name} ${line}\n`).join('');
    writeFileSync(join(top, 'src/marked.ts'), `// @decision m:mark\n${text('marked')}`);
    writeFileSync(join(top, 'src/old é.ts'), text('renamed'));
    writeFileSync(join(top, 'src/big.ts'), `${'x'.repeat(1024 * 1024)} @decision m:big`);
    commit('one', later);
    git(['mv', 'src/old é.ts', 'src/new é.ts']);
    commit('renamed', later);
    for (const words of [
      ['m:mark', 'By a comment'],
      ['m:old', 'By its old name', '--file', 'src/old é.ts'.normalize('NFD')],
      ['m:big', 'A file that is too long to be read'],
      ['m:new', 'Only the change says so'],
    ])
      assert.equal((await run('decide', ...words, '--strength', 'lock')).code, 0);
    for (const file of ['src/marked.ts', 'src/new é.ts', 'src/big.ts'])
      writeFileSync(join(top, file), '// @decision m:new');
    git(['add', '--all']);
    const { decisions } = JSON.parse((await run('check', '--format', 'json')).stdout);
    assert.deepEqual(
      (decisions as { topic: string; touches: string[]; state: string }[])
        .map(({ topic, touches, state }) => [topic, touches, state])
        .sort(),
      [
        ['m:mark', ['src/marked.ts'], 'unsaid'],
        ['m:old', ['src/new é.ts'], 'unsaid'],
      ],
    );
    git(['reset', '--quiet', '--hard']);
  });

  it('[F-5] what two machines decided differently names the files of both, binds while one does, and is said in each format', async () => {
    const shared = join(bench.folder, 'shared');
    mkdirSync(shared);
    const on = async (machine: string, ...words: string[]) => {
      const db = join(bench.folder, `${machine}.db`);
      const ran = await bench.run(words, { cwd: top, env: { PRECEDENT_DB: db } });
      assert.match(String(ran.code), words[0] === 'check' ? /[01]/ : /0/, ran.stderr);
      return ran.stdout;
    };
    const lock = ['--strength', 'lock', '--file', 'src/세션*', '--json'];
    const { id } = JSON.parse(await on('kim', 'decide', 'auth:token', 'JWT', ...lock));
    assert.match(id, /^[0-9a-f-]{36}$/);
    for (const machine of ['kim', 'lee']) await on(machine, 'sync', '--init', shared, '--yes');
    const why = ['--reasoning', 'tokens leaked', '--replaces', id];
    await on('kim', 'decide', 'auth:token', 'A short JWT', ...why, '--strength', 'lock');
    const free = ['--strength', 'normal', '--file', 'free.md'];
    await on('lee', 'decide', 'auth:token', 'Opaque', ...why, ...free);
    for (const machine of ['kim', 'lee', 'kim']) await on(machine, 'sync');
    git(['checkout', '--quiet', '-B', 'twice', 'main']);
    for (const text of ['one', 'two']) {
      writeFileSync(join(top, 'src/세션 c.ts'), text);
      commit(text, later);
    }
    for (const format of ['text', 'markdown', 'json', 'sarif'])
      assert.match(
        await on('kim', 'check', 'HEAD~1', '--strict', '--format', format),
        /Opaque[\s\S]*lock “A short JWT”[\s\S]*precedent settle auth:token/,
        format,
      );
    assert.match(await on('kim', 'check', 'HEAD~1'), /! decided twice[\s\S]*not mentioned/);
    const { runs } = JSON.parse(await on('kim', 'check', 'HEAD~1', '--format', 'sarif'));
    assert.equal(runs[0].results[0].level, 'error');
  });

  it('[F-5] names paths of any letters, in a worktree, from a folder below, in their case, of a repository inside', async () => {
    git(['checkout', '--quiet', '-B', 'paths', 'main']);
    const tree = join(bench.folder, '나무 2');
    git(['worktree', 'add', '--quiet', '--detach', tree]);
    const inside = join(tree, 'vendor', 'lib');
    mkdirSync(inside, { recursive: true });
    const there = (words: string[], cwd = tree) => execFileSync('git', words, { cwd, stdio: 'pipe' });
    const author = ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.com'];
    there(['init', '--quiet'], inside);
    there([...author, 'commit', '--quiet', '--allow-empty', '--message', 'one'], inside);
    const files = [
      'win/a b.ts',
      '한글/파일.ts'.normalize('NFD'),
      'tab\t"q".ts',
      'Case/x.ts',
      '[id]/page.tsx',
    ];
    for (const file of files) {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), 'new');
    }
    there([...author, '-c', 'advice.addEmbeddedRepo=false', 'add', '--all']);
    there([...author, 'commit', '--quiet', '--message', 'two']);
    for (const [topic, pattern] of [
      ['p:win', 'win\\**'],
      ['p:korean', '한글/*.ts'],
      ['p:tab', '*\t*'],
      ['p:case', 'case/**'],
      ['p:brackets', '[id]/page.tsx'],
      ['p:module', 'vendor/lib/**'],
    ] as const)
      assert.equal((await run('decide', topic, `About ${topic}`, '--file', pattern)).code, 0, topic);
    for (const cwd of [tree, join(tree, 'win')]) {
      const { stdout } = await bench.run(['check', 'HEAD~1', '--format', 'json'], { cwd });
      const found = (JSON.parse(stdout).decisions as { topic: string; touches: string[] }[]).flatMap(
        ({ topic, touches }) => (topic.startsWith('p:') ? [[topic, touches]] : []),
      );
      assert.deepEqual(found.sort(), [
        ['p:brackets', ['[id]/page.tsx']],
        ['p:korean', ['한글/파일.ts']],
        ['p:module', ['vendor/lib']],
        ['p:tab', ['tab\t"q".ts']],
        ['p:win', ['win/a b.ts']],
      ]);
    }
  });

  it('[F-1] [F-5] a name of no decision in a message or a new comment is said, with what may be meant', async () => {
    git(['checkout', '--quiet', '-B', 'mistyped', 'main']);
    writeFileSync(join(top, 'src/f.ts'), '// @decision long:gone\n');
    commit('one', later);
    assert.equal((await run('decide', '이름:바른', 'Named so')).code, 0);
    writeFileSync(
      join(top, 'src/f.ts'),
      '// @decision long:gone, @decision 이름:바른, @decision docs/a.md, @decision 이름:바름\n',
    );
    commit('two\n\nDecision: 이름:바른\nDecision: no-such', later);
    for (const format of ['text', 'markdown', 'json']) {
      const { code, stdout } = await run('check', 'HEAD~1', '--strict', '--format', format);
      assert.equal(code, 0, stdout);
      const found = [...stdout.replace(/\s+/g, ' ').matchAll(/found \\?"([^"\\]*)/g)].map(([, name]) => name);
      assert.deepEqual(found, ['no-such', '이름:바름'], `${format}: ${stdout}`);
      assert.match(stdout, /Did you mean \\?"이름:바른/);
    }
  });

  it('[F-5] refuses what is no range, and an option in its place', async () => {
    for (const [wrong, said] of [
      ['nowhere', 'nowhere is not a commit here'],
      ['HEAD~99...HEAD', 'HEAD~99 is not a commit here'],
      ['HEAD...한글', '한글 is not a commit here'],
      ['main..--output=x', 'no common commit'],
      ['..--octopus', 'no common commit'],
    ] as const) {
      const { code, stderr } = await run('check', wrong);
      assert.equal(code, 2, wrong);
      assert.match(stderr, new RegExp(`Expected a change that git can read: .*${said}`));
    }
  });
});

describe('precedent check without a memory', () => {
  const bench = workbench({ after }, 'here');
  const NOWHERE = { PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined };
  /** A repository with these files in its first commit, and a branch for the change. */
  function repository(name: string, files: Record<string, string>) {
    const top = join(bench.folder, name);
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.com', ...words], {
        cwd: top,
        stdio: 'pipe',
      });
    const write = (changed: Record<string, string | null>) => {
      for (const [path, text] of Object.entries(changed)) {
        mkdirSync(dirname(join(top, path)), { recursive: true });
        if (text === null) rmSync(join(top, path));
        else writeFileSync(join(top, path), text);
      }
    };
    const commit = (changed: Record<string, string | null>, message = 'changed') => {
      write(changed);
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    };
    mkdirSync(top);
    git('init', '--quiet', '--initial-branch=main');
    commit(files);
    git('checkout', '--quiet', '-b', 'work');
    const run = (...words: string[]) => bench.run(['check', ...words], { cwd: top, env: NOWHERE });
    return { top, git, write, commit, run };
  }
  const record = (title: string, fields: string, outcome = 'So it is.') =>
    `---\nstatus: accepted\ndate: 2099-01-01\n${fields}---\n# ${title}\n\n## Decision Outcome\n\n${outcome}\n`;
  const LOCK = 'strength: lock\naffects: [src/auth/**]\n';
  const ADR_TOOLS =
    '# 3. Tokens\n\nDate: 2099-01-02\n\n## Status\n\nAccepted\n\nSupersedes [1. Sessions](0001-sessions.md)\n\n## Decision\n\nTokens.\n';
  const FILES = {
    'docs/adr/0001-sessions.md': record('Session {0} <b>cookies</b> [for](x) @all #1', LOCK),
    'docs/adr/0002-names.md': record(
      'Names of files',
      "affects: [/free.md]\noutcome: 'failed: nobody read it'\n",
    ),
    'src/auth/로그인 a.ts': 'one',
    'free.md': 'one',
  };

  it('[F-5] reads what binds from the decision records before the change, which the change cannot alter', async () => {
    const { git, write, commit, run } = repository('before', FILES);
    commit({
      'src/auth/로그인 a.ts': 'two',
      'docs/adr/0001-sessions.md': null,
      'docs/adr/0003-new.md': record('Everything', 'strength: lock\naffects: ["**"]\n'),
      // Where records are, it does not say either.
      '.adr-dir': 'elsewhere',
    });
    for (const words of [['main'], ['main...HEAD'], ['main', '--format', 'json']]) {
      const { code, stdout } = await run(...words, '--strict');
      assert.equal(code, 1, stdout);
      assert.match(stdout, /adr:0001-sessions/);
      assert.doesNotMatch(stdout, /0003-new/);
    }
    assert.match(
      (await run('main')).stdout,
      /1 decision for 4 changed files {2}2 decision records at [0-9a-f]{8}/,
    );
    // Neither does what is not committed, or only staged.
    git('checkout', '--quiet', 'main');
    write({
      'src/auth/로그인 a.ts': 'three',
      'docs/adr/0001-sessions.md': FILES['docs/adr/0001-sessions.md'].replace(LOCK, ''),
    });
    git('add', '--all');
    const staged = await run('--staged', '--strict');
    assert.equal(staged.code, 1, staged.stdout);
  });

  it('[F-5] a record of the change that supersedes one, says it anew or ends it is a word; one that frees it is none', async () => {
    const words: [string, Record<string, string | null>, number, string?][] = [
      ['nothing', {}, 1],
      [
        'the strength',
        { 'docs/adr/0001-sessions.md': FILES['docs/adr/0001-sessions.md'].replace(LOCK, '') },
        1,
      ],
      [
        'a record that supersedes it',
        { 'docs/adr/0003-tokens.md': record('Tokens', 'supersedes: ["0001"]\n', 'Tokens it is.') },
        0,
      ],
      ['what adr-tools writes', { 'docs/adr/0003-tokens.md': ADR_TOOLS }, 0],
      ['its text', { 'docs/adr/0001-sessions.md': record('Sessions', LOCK, 'Shorter ones.') }, 0],
      [
        'its state',
        { 'docs/adr/0001-sessions.md': FILES['docs/adr/0001-sessions.md'].replace('accepted', 'deprecated') },
        0,
      ],
      ['its trailer', {}, 0, 'changed\n\nDecision: adr:0001-sessions'],
      ['a trailer that is mistyped', {}, 1, 'changed\n\nDecision: adr:0001-session'],
    ];
    const { git, commit, run } = repository('words', FILES);
    for (const [what, changed, code, message] of words) {
      git('checkout', '--quiet', '-B', 'work', 'main');
      commit({ ...changed, 'src/auth/로그인 a.ts': what }, message);
      const ran = await run('main', '--strict');
      assert.equal(ran.code, code, `${what}: ${ran.stdout}${ran.stderr}`);
      const isMistyped = /Did you mean "adr:0001-sessions"/.test(ran.stdout.replace(/\s+/g, ' '));
      assert.equal(isMistyped, what.includes('mistyped'), ran.stdout);
      assert.match(
        ran.stdout,
        code === 0 ? /^ +mentioned$/m : /not mentioned; mention it: a record that supersedes it/,
      );
    }
  });

  it('[TR-1] [F-5] a record that a colleague added since then is not mentioned by itself, in the merge or staged after it', async () => {
    const { git, commit, write, run } = repository('colleague', {
      'free.md': 'one',
      'docs/adr/README.md': 'x',
    });
    commit({ 'src/auth/a.ts': 'two' });
    git('checkout', '--quiet', 'main');
    commit({ 'docs/adr/0001-sessions.md': record('Sessions', LOCK) }, 'a lock');
    git('merge', '--quiet', '--no-ff', '--message', 'merged', 'work');
    const merged = await run('HEAD~1...HEAD', '--strict');
    assert.equal(merged.code, 1, merged.stdout + merged.stderr);
    write({ 'src/auth/a.ts': 'three' });
    git('add', '--all');
    assert.equal((await run('--strict')).code, 1);
  });

  it('[F-5] finds records where the configuration says, follows no link, and names what it left out', async () => {
    const { top, git, commit, run } = repository('where', { '.adr-dir': './doc/arch/\n', 'free.md': 'one' });
    mkdirSync(join(top, 'doc/arch'), { recursive: true });
    symlinkSync('/etc/passwd', join(top, 'doc/arch/0004-link.md'));
    commit({
      'doc/arch/0001-a.md': record('A', 'strength: axis\naffects: free.md\n'),
      'doc/arch/0002-b.md': '<<<<<<< HEAD\n# B\n=======\n# C\n>>>>>>> other\n',
    });
    git('branch', '--force', 'main');
    commit({ 'free.md': 'two' });
    const { code, stdout, stderr } = await run('main', '--strict');
    assert.equal(code, 1, stderr);
    assert.match(stdout, /adr:0001-a[\s\S]*1 decision for 1 changed file {2}1 decision record/);
    assert.match(stderr, /left out: doc\/arch\/0002-b\.md/);
    assert.doesNotMatch(stdout + stderr, /0004/);
  });

  it('[F-5] says that nothing is recorded; strictly, that is an error', async () => {
    const { commit, run } = repository('nothing', { 'free.md': 'one' });
    commit({ 'free.md': 'two' });
    for (const format of ['text', 'markdown']) {
      const { code, stdout } = await run('main', '--format', format);
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^Nothing is recorded: no memory here, and no decision records at [0-9a-f]{8}\.$/m,
      );
    }
    const strictly = await run('main', '--strict', '--format', 'sarif');
    assert.equal(strictly.code, 2);
    assert.match(strictly.stderr, /Nothing is recorded/);
    // A memory that was named is not looked for elsewhere.
    assert.equal((await run('main', '--db', join(bench.folder, 'none.db'))).code, 3);
  });

  it('[F-5] as SARIF: a rule for each decision, a result for each of its files, by level; as Markdown, no mark is left', async () => {
    const { commit, run } = repository('formats', FILES);
    commit({ 'src/auth/로그인 a.ts': 'two', 'src/auth/b.ts': 'new', 'free.md': 'two' });
    const { stdout } = await run('main', '--format', 'sarif');
    const { $schema, version, runs } = JSON.parse(stdout);
    assert.deepEqual([$schema, version], ['https://json.schemastore.org/sarif-2.1.0.json', '2.1.0']);
    const [{ tool, results }] = runs;
    assert.equal(tool.driver.name, 'Precedent');
    const rules = tool.driver.rules.map(({ id }: { id: string }) => id);
    assert.deepEqual(rules, ['adr:0001-sessions', 'adr:0002-names']);
    const found = (results as SarifResult[]).map(({ ruleId, ruleIndex, level, locations }) => {
      const [{ physicalLocation }] = locations;
      assert.equal(rules[ruleIndex], ruleId);
      assert.equal(physicalLocation.artifactLocation.uriBaseId, '%SRCROOT%');
      assert.equal(physicalLocation.region.startLine, 1);
      return [level, decodeURIComponent(physicalLocation.artifactLocation.uri)];
    });
    assert.deepEqual(found, [
      ['error', 'src/auth/b.ts'],
      ['error', 'src/auth/로그인 a.ts'],
      ['warning', 'free.md'],
    ]);
    const [{ message }] = results as [SarifResult];
    assert.match(
      message.text,
      /Session \{\{0\}\} <b>cookies<\/b> \[for\] \(x\)/,
      'neither an argument nor a link',
    );
    assert.match((results as SarifResult[]).at(-1)?.message.text ?? '', /It failed: nobody read it/);
    assert.match(results[0].locations[0].physicalLocation.artifactLocation.uri, /^[\x21-\x7e]+$/);

    const markdown = (await run('main', '--format', 'markdown')).stdout;
    assert.match(markdown, /^<!-- precedent check -->\n### 2 decisions for 3 changed files\n/);
    assert.match(markdown, /Session \{0\} \\<b\\>cookies\\<\/b\\> \\\[for\\\]\(x\) @&#8203;all \\?#&#8203;1/);
    assert.match(markdown, /⚠️ failed: nobody read it/);
  });
});

/** What is asked of a result. */
interface SarifResult {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: string; uriBaseId: string };
        region: { startLine: number };
      };
    },
  ];
}
