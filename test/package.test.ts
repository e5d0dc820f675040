import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { tools } from '../src/operations/index.ts';
import { ERAS, ROOT, workbench } from './support/program.ts';

const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** npm, tsc and the installed command run with the Node that runs the tests. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
/** npm and what it installs are scripts on Windows, which only a shell runs. */
const shell = process.platform === 'win32';

describe('the packed package', () => {
  const bench = workbench({ after });
  const home = join(bench.folder, '새 프로젝트 1');
  const installed = join(home, 'node_modules', MANIFEST.name);
  let packed: string[] = [];

  function execute(command: string, args: string[], cwd = home): string {
    const env = { ...process.env, PATH, PRECEDENT_DB: bench.db, npm_config_loglevel: 'error' };
    const ran = spawnSync(command, args, { cwd, env, shell, encoding: 'utf8' });
    assert.equal(ran.status, 0, `${command} ${args.join(' ')}\n${ran.error ?? ''}${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  }

  /** Runs the command as npm has installed it. */
  const precedent = (...args: string[]) => execute(join('node_modules', '.bin', 'precedent'), args);

  before(() => {
    mkdirSync(home);
    execute(process.execPath, [join('scripts', 'package.ts')], ROOT);
    const [tarball] = JSON.parse(
      execute(
        'npm',
        ['pack', './package', '--ignore-scripts', '--json', '--pack-destination', bench.folder],
        ROOT,
      ),
    );
    packed = tarball.files.map((file: { path: string }) => file.path);
    writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const file = join('..', tarball.filename);
    execute('npm', ['install', file, '--offline', '--no-audit', '--no-fund', '--cache', join('..', 'cache')]);
  });

  it('holds what is needed and nothing else', () => {
    const stray = packed.filter(
      (path) =>
        !/^(dist\/|docs\/(domain|library|reference\/(decisions|errors))\.md$|skills\/|package\.json$|README\.md$|LICENSE(\.\w+)?$)/.test(
          path,
        ),
    );
    assert.deepEqual(stray, []);
    for (const path of [
      'dist/index.js',
      'dist/index.d.ts',
      'dist/precedent.cjs',
      'dist/THIRD_PARTY_LICENSES.txt',
      'docs/library.md',
      'docs/reference/errors.md',
      'skills/precedent/SKILL.md',
    ]) {
      assert(packed.includes(path), path);
    }
  });

  it('[LB-8] its pages link what it holds, or the repository', () => {
    for (const page of packed.filter((path) => path.endsWith('.md')))
      for (const [, to = ''] of readFileSync(join(installed, page), 'utf8').matchAll(
        /\]\((?!\w+:|#)([^)#]+)/g,
      ))
        assert(existsSync(join(installed, dirname(page), to)), `${page}: ${to}`);
  });

  it('[R-16] [U-10] brings nothing to compile, nothing to run on install and no other package', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    for (const field of [
      'dependencies',
      'optionalDependencies',
      'gypfile',
      'scripts',
      'devDependencies',
      'overrides',
      'allowScripts',
      'private',
    ]) {
      assert(!(field in manifest), field);
    }
    // Makes vectors faster for whoever installs it too; nothing needs it.
    assert.deepEqual(manifest.peerDependenciesMeta, { 'sqlite-vec': { optional: true } });
    assert.deepEqual(Object.keys(manifest.peerDependencies), ['sqlite-vec']);
    assert.deepEqual(
      packed.filter((path) => /\.(node|c|cc|cpp|h|gyp|gypi|wasm|so|dylib|dll)$/.test(path)),
      [],
    );
    const packages = globSync('node_modules/{*,@*/*}/package.json', { cwd: home });
    assert.deepEqual(packages, [join('node_modules', MANIFEST.name, 'package.json')]);
  });

  it('has the licence and the copyright of every package that is bundled', () => {
    const parts = readFileSync(join(installed, 'dist/THIRD_PARTY_LICENSES.txt'), 'utf8')
      .split(/^-{80}\n/m)
      .slice(1);
    assert(parts.length > 10, `${parts.length} packages`);
    for (const part of parts) assert.match(part, /copyright|public domain/i, part.split('\n')[0]);
  });

  it('has no path of the machine it was made on', () => {
    const files = globSync('dist/**/*.*', { cwd: installed });
    assert(files.length > 5);
    for (const file of files) {
      const text = readFileSync(join(installed, file), 'utf8');
      for (const path of [ROOT, join(homedir(), '/'), process.execPath])
        assert(!text.includes(path), `${path} in ${file}`);
    }
  });

  it('runs as a command', () => {
    assert.equal(precedent('--version'), `${MANIFEST.version}\n`);
    const { id } = JSON.parse(
      precedent('tool', 'mama_save', '--topic', 'pack:npm', '--decision', 'Bundle', '--json'),
    );
    const { results } = JSON.parse(precedent('tool', 'mama_search', 'bundle', '--json'));
    assert.equal(results[0].id, id);
  });

  it('[X-4] has the memories of its demo', () => {
    assert.match(
      precedent('open', '--demo'),
      /^Two memories [\s\S]*\b59 decisions, 79 observations[\s\S]*#token=prec_/,
    );
  });

  it('[D-9] serves MCP in both eras, on the memory of the command', async () => {
    const { decision } = JSON.parse(precedent('tool', 'decision_save', 'Shared at once', '--json'));
    for (const era of Object.values(ERAS)) {
      const program = join(installed, 'dist', 'precedent.cjs');
      const server = await bench.connect({ era, program, cwd: home });
      assert.deepEqual(
        (await server.client.listTools()).tools.map(({ name }) => name),
        tools.map(({ name }) => name),
      );
      const asTold: { decision: unknown } = await server.call('decision_get', { id: decision.id });
      assert.equal(asTold.decision, 'Shared at once');
    }
  });

  it('[U-10] closes a memory at the end of a block, and says so to whoever uses it afterwards', () => {
    const script = `
      import { openMemory } from '${MANIFEST.name}';
      let kept;
      {
        await using memory = await openMemory({ db: ':memory:' });
        kept = memory;
        await memory.decision.save({ text: 'One' });
      }
      const error = await kept.decision.retrieve().catch((error) => error);
      console.log(error.code, /closed/.test(error.message));`;
    writeFileSync(join(home, 'using.js'), script);
    assert.equal(execute(process.execPath, ['using.js']), 'unavailable true\n');
  });

  it('is imported as a library', () => {
    const script = `
      import { openMemory, PrecedentError } from '${MANIFEST.name}';
      const memory = await openMemory({ db: ':memory:' });
      const { decision } = await memory.decision.save({ text: 'One' });
      const error = await memory.decision.get({ id: 'nobody' }).catch((error) => error);
      const { decisions } = await memory.decision.retrieve({ domain: 'global' });
      console.log(decisions[0].id === decision.id, error instanceof PrecedentError, error.code);
      await memory.close();`;
    writeFileSync(join(home, 'consumer.js'), script);
    assert.equal(execute(process.execPath, ['consumer.js']), 'true true not_found\n');
  });

  it('[U-10] [LB-3] [LB-5] [LB-6] [LB-7] has types that a strict consumer compiles with, and that find a mistake', () => {
    const script = `
      import { type BatchEntry, type Entry, type ExportFormat, type FoundDecision, type Outcome, type Redacted, type Strength, type Writer, type Embedder, type Health, type Memory, type MemoryTool, openMemory, PrecedentError } from '${MANIFEST.name}';
      const writer: Partial<Writer> = { client: 'consumer' };
      const memory: Memory = await openMemory({ db: ':memory:', writer });
      const saved = await memory.mama.save({ topic: 'a:b', decision: 'c', evidence: ['d'], confidence: 1 });
      const warnings: string[] = saved.warnings;
      const { results, total } = await memory.mama.search({ outcome_filter: 'pending' });
      const edges: string[] = results[0]?.edges.builds_on ?? [];
      const strength: 'axis' | 'lock' | 'normal' | undefined = results[0]?.strength;
      const found: boolean = (await memory.mama.loadCheckpoint()).found;
      const health: Health = await memory.inspect();
      const code = (error: unknown): string => (error instanceof PrecedentError ? error.code : 'other');
      const embedder: Embedder = { model: 'm', embed: async (texts) => texts.map(() => new Float32Array([1])) };
      await openMemory({ db: ':memory:', embedder });
      await openMemory({ db: ':memory:', embedder: { url: 'http://localhost:1/v1', model: 'm' } });
      const redacted: Redacted = await memory.redact(saved.id);
      const places: { what: string; id: string }[] = redacted.remaining;
      const format: ExportFormat = 'jsonl';
      const outcome: Outcome = 'failed';
      await memory.import(['{}'], (done, all) => done / all, { replace: true });
      await memory.export('jsonl', (line) => line.length);
      // @ts-expect-error what only the declarations themselves refer to is not exported
      export type { Maintenance } from '${MANIFEST.name}';
      const called = await memory.call('mama_save', { topic: 'a', decision: 'b' });
      const later: Record<string, unknown> = await memory.call('mama_' + 'save', { topic: 'a' });
      const tools: MemoryTool[] = memory.tools();
      await memory.recall({ task: 'a' }, { writer: { author: 'Kim' } });
      const both: number = await memory.transaction(async (tx) => (await tx.mama.save({ topic: 'a', decision: 'b' })).warnings.length);
      const batch: Record<string, unknown>[] = (await memory.batch([{ operation: 'mama_save', topic: 'a', decision: 'b' }])).results;
      const next: number = (await memory.mama.save({ topic: 'a', decision: 'b' })).version;
      const version: number = called.type === 'decision' ? called.version : 0;
      const shown = await memory.show({ ref: 'a' });
      const whole: string | null = shown.kind === 'decision' ? shown.decision.decision.text : shown.kind === 'memo' ? (shown.memo.full_text ?? null) : null;
      const first: Entry | undefined = (await memory.recall({ task: 'a' })).entries[0];
      const binding: Strength | undefined = first?.kind === 'decision' ? first.strength : undefined;
      const title: string | undefined = first?.title;
      // @ts-expect-error an observation has no strength
      const none: Strength = first?.kind === 'observation' ? first.strength : 'normal';
      // @ts-expect-error a checkpoint has no version
      const half: number = (await memory.mama.save({ type: 'checkpoint', summary: 'Half done' })).version;
      // @ts-expect-error a save says what it saves
      await memory.mama.save();
      // @ts-expect-error there is no such operation
      await memory.call('mama_saves', {});
      // @ts-expect-error a call by name takes the input of its operation
      await memory.call('mama_save', { topic: 'a' });
      // @ts-expect-error there is no such format
      await memory.export('csv', (line) => line.length);
      // @ts-expect-error an id is a string
      const wrong: number = saved.id;
      // @ts-expect-error confidence is a number
      await memory.mama.save({ topic: 'a', decision: 'b', confidence: 'high' });
      // @ts-expect-error there is no such field
      await memory.decision.save({ text: 'a', rootId: 'b' });
      // @ts-expect-error a decision without its text is always refused
      await memory.mama.save({ topic: 'a' });
      // @ts-expect-error a checkpoint has no topic
      await memory.mama.save({ type: 'checkpoint', topic: 'a' });
      await memory.mama.save({ type: 'checkpoint', summary: 'Half done' });
      const best: FoundDecision | undefined = results[0];
      const entries: Entry[] = (await memory.recall({ task: 'a' })).entries;
      await using closing = await openMemory({ db: ':memory:' });
      // @ts-expect-error there is no such outcome
      await memory.mama.update({ id: saved.id, outcome: 'great' });
      const why: string | undefined = undefined;
      await memory.mama.save({ topic: 'a', decision: 'b', reasoning: why });
      await memory.timeline({ kind: undefined });
      const entry: BatchEntry = { operation: 'mem_relate', from_id: 'line 1', relation_type: 'caused', to_id: 2 };
      // @ts-expect-error a line has the fields of its operation
      const misspelt: BatchEntry = { operation: 'mama_save', topic: 'a', decison: 'b' };
      // @ts-expect-error an operation that saves nothing
      const unsaved: BatchEntry = { operation: 'recall', task: 'a' };
      function isBusy(error: unknown): boolean {
        if (!(error instanceof PrecedentError)) return false;
        // @ts-expect-error the reason of another code
        if (error.code === 'not_found' && error.reason === 'busy') return false;
        return error.code === 'unavailable' && error.reason === 'busy' && error.message !== '';
      }
      export { entry, isBusy, misspelt, unsaved };
      export { batch, best, binding, both, called, first, half, next, none, title, version, whole, closing, later, tools, code, edges, entries, format, found, health, outcome, places, strength, total, warnings, wrong };`;
    writeFileSync(join(home, 'consumer.ts'), script);
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const options =
      '--strict --exactOptionalPropertyTypes --noEmit --module nodenext --target es2023 --lib es2023,esnext.disposable --skipLibCheck false --pretty false';
    execute(process.execPath, [tsc, ...options.split(' '), 'consumer.ts']);
    const plain = `import { openMemory } from '${MANIFEST.name}';\nconst memory = await openMemory({ db: 'a' });\nexport { memory };`;
    writeFileSync(join(home, 'plain.ts'), plain);
    const bare =
      '--strict --noEmit --module nodenext --lib es2022 --types --target es2022 --skipLibCheck false';
    execute(process.execPath, [tsc, ...bare.split(' ').filter((word) => word !== '--types'), 'plain.ts']);
    const common = `import precedent = require('${MANIFEST.name}');\nexport const opened = precedent.openMemory({ db: 'a' });`;
    writeFileSync(join(home, 'common.cts'), common);
    execute(process.execPath, [tsc, ...options.replace('nodenext', 'node16').split(' '), 'common.cts']);
  });
});
