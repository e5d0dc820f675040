import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import pkg from '../package.json' with { type: 'json' };
import { AGENTS } from '../src/agents/agents.ts';
import { IS_PUBLISHED } from '../src/domain/release.ts';
import { HAS_REPOSITORY, REGISTRY_NAME, REPOSITORY, released } from './manifests.ts';

/**
 * Proves that this version could be published, and publishes nothing (L-1):
 *
 *   npm run release:check                what npm would have, from a clean clone, with this Node and the oldest one
 *   npm run release:check -- --fast      the same of what is built here, with this Node
 *   npm run release:check -- --publish   the first one, and whether the names are there that publishing needs
 *
 * Each step is what a newcomer does with the packed file. The bundle is made in `release/`, with `server.json`.
 */
const OLDEST = '22.18.0';
/** Bytes of the packed file (issue of the release, "npm pack ≤ 4 MB"). */
const PACKED_LIMIT = 4_000_000;
const MCPB = '@anthropic-ai/mcpb@2.1.2';
/** Read a packed file as npm, bundlers and TypeScript do. */
const LINTS = [
  ['publint@0.3.25', 'publint'],
  ['@arethetypeswrong/cli@0.18.5', 'attw'],
] as const;

const { values } = parseArgs({ options: { fast: { type: 'boolean' }, publish: { type: 'boolean' } } });
const folder = mkdtempSync(join(tmpdir(), 'precedent-release-'));
const began = performance.now();
const tell = (line: string) => process.stdout.write(`${line}\n`);

try {
  if (values.publish) namesAreThere();
  const source = values.fast ? resolve('.') : cleanClone();
  const packed = pack(source);
  await newcomer(packed, dirname(process.execPath), 'this Node');
  if (!values.fast) {
    await newcomer(packed, oldestNode(), `Node ${OLDEST}`);
    lint(packed);
    bundle(source);
  }
  list();
} catch (error) {
  if (!(error instanceof assert.AssertionError)) throw error;
  tell(`✖ ${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @throws AssertionError naming what has to be filled in first */
function namesAreThere(): void {
  assert(HAS_REPOSITORY, `Set "repository" in package.json: it is the placeholder ${REPOSITORY}.`);
  assert(IS_PUBLISHED, 'Take "private" out of package.json, then run "npm run reference".');
  tell(`✔ repository ${REPOSITORY}, registry name ${REGISTRY_NAME}`);
}

function cleanClone(): string {
  const clone = join(folder, 'clone');
  run('git', ['clone', '--quiet', '.', clone]);
  run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clone });
  return clone;
}

/** @returns the packed file, as `npm publish` would send it */
function pack(source: string): string {
  if (!values.fast || !existsSync(join(source, 'dist'))) run('npm', ['run', 'build'], { cwd: source });
  run(process.execPath, [join('scripts', 'package.ts')], { cwd: source });
  const [made] = JSON.parse(
    run('npm', ['pack', './package', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: source,
    }),
  );
  assert(made.size <= PACKED_LIMIT, `${made.size} bytes are packed: at most ${PACKED_LIMIT}`);
  const manifest = JSON.parse(readFileSync(join(source, 'package', 'package.json'), 'utf8'));
  assert.equal(manifest.mcpName, REGISTRY_NAME);
  assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });
  const licences = readFileSync(join(source, 'package', 'dist', 'THIRD_PARTY_LICENSES.txt'), 'utf8')
    .split(/^-{80}\n/m)
    .slice(1)
    .map((part) => part.match(/^.*\((.*)\)/)?.[1] ?? '?');
  const counted = Object.entries(Object.groupBy(licences, (name) => name)).map(
    ([name, all]) => `${all?.length} ${name}`,
  );
  for (const name of licences)
    assert.match(name, /^\(?(MIT|ISC|BSD|Apache-2\.0|BlueOak|0BSD|CC0|Unlicense)/, name);
  tell(
    `✔ packed ${(made.size / 1e6).toFixed(2)} MB, unpacked ${(made.unpackedSize / 1e6).toFixed(1)} MB, ${made.entryCount} files; bundled: ${counted.join(', ')}`,
  );
  return join(folder, made.filename);
}

function oldestNode(): string {
  const into = join(folder, 'oldest');
  mkdirSync(into);
  run('npm', ['install', `node@${OLDEST}`, '--no-audit', '--no-fund'], { cwd: into });
  return join(into, 'node_modules', 'node', 'bin');
}

/** Installs the packed file in an empty home, and does what README says: six commands up to an agent that was told. */
async function newcomer(packed: string, node: string, name: string): Promise<void> {
  const home = mkdtempSync(join(folder, 'home-'));
  const prefix = join(home, 'npm');
  const project = join(home, 'project');
  mkdirSync(project);
  mkdirSync(join(home, '.claude'));
  const env: Record<string, string> = {
    HOME: home,
    PATH: [join(prefix, 'bin'), node, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
      delimiter,
    ),
    npm_config_cache: join(folder, 'cache'),
    npm_config_prefix: prefix,
    npm_config_loglevel: 'error',
  };
  const there = { cwd: project, env };
  run('git', ['init', '--quiet'], there);
  const before = filesIn(home);
  const precedent = (...args: string[]) => run(join(prefix, 'bin', 'precedent'), args, there);

  run('npm', ['install', '--global', '--ignore-scripts', '--offline', packed], there);
  assert.equal(precedent('--version').trim(), pkg.version);
  playReadme(there);
  playLibrary(packed, join(node, 'node'), join(home, 'library'), env);

  for (const agent of AGENTS) precedent('setup', agent.name, '--dry-run');
  precedent('setup', 'claude');
  precedent('decide', 'auth:token', 'Session cookies, HttpOnly', '--strength', 'axis', '--scope', 'global');
  const hook = JSON.parse(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).hooks.SessionStart[0]
    .hooks[0];
  const event = { hook_event_name: 'SessionStart', session_id: 'release', source: 'startup', cwd: project };
  assert.match(
    run(hook.command, hook.args, { ...there, input: JSON.stringify(event) }),
    /Session cookies, HttpOnly/,
  );
  await ask(JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8')).mcpServers.precedent, there);
  await openPage(join(prefix, 'bin', 'precedent'), there);

  const said = precedent('unsetup').replace(/\s+/g, '');
  run('npm', ['uninstall', '--global', pkg.name], there);
  const left = filesIn(home).filter((file) => !before.includes(file));
  // Memories, which packages a name in files of their own, and what the command has compiled.
  const kept = [join(home, '.local', 'share', 'precedent'), join(home, '.cache', 'precedent')];
  for (const file of left)
    assert(
      kept.some((each) => file.startsWith(each)),
      `${file} is left behind.`,
    );
  for (const each of kept) assert(said.includes(each), `unsetup does not say that ${each} stays.`);
  tell(
    `✔ ${name}: installed, told an agent, answered over MCP, served its page, uninstalled; left, and said: ${kept.map((each) => each.replace(home, '~')).join(', ')}`,
  );
}

/** Types the session of README, whose commands must succeed. */
function playReadme(there: { cwd: string; env: Record<string, string> }): void {
  const [, session = ''] =
    readFileSync('README.md', 'utf8').match(/<!-- session -->\n```console\n([\s\S]*?)```/) ?? [];
  const commands = session.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
  assert(commands.length > 3, session);
  const own = commands.map((command) => command.replace('/tmp/try.db', join(there.cwd, '..', 'try.db')));
  run('sh', ['-ec', own.join('\n')], there);
  for (const file of globSync(join(there.cwd, '..', 'try.db*'))) rmSync(file);
}

/** Installs the package in a project, and runs the recipes of its page there. */
function playLibrary(packed: string, node: string, cwd: string, env: Record<string, string>): void {
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  run('npm', ['install', '--ignore-scripts', '--offline', packed], { cwd, env });
  const page = readFileSync(join(cwd, 'node_modules', pkg.name, 'docs', 'library.md'), 'utf8');
  for (const [n, [, code = '']] of [...page.matchAll(/^<!-- run -->\n```ts\n([\s\S]*?)^```$/gm)].entries()) {
    writeFileSync(join(cwd, `recipe-${n}.ts`), code);
    const shown = [...code.matchAll(/\/\/ → (.*)/g)].map(([, line]) => `${line}\n`);
    assert.equal(run(node, [`recipe-${n}.ts`], { cwd, env }), shown.join(''), `recipe ${n + 1}`);
  }
  rmSync(cwd, { recursive: true });
}

/** Starts what is entered in the agent's settings, as the agent does. */
async function ask(
  server: { command: string; args: string[] },
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<void> {
  const client = new Client({ name: 'release-check', version: pkg.version });
  await client.connect(
    new StdioClientTransport({ command: server.command, args: server.args, cwd, env, stderr: 'inherit' }),
  );
  const { content } = await client.callTool({
    name: 'recall',
    arguments: { task: 'store the session token' },
  });
  assert.match(JSON.stringify(content), /Session cookies, HttpOnly/);
  await client.close();
}

/** Serves the page, and reads it. */
async function openPage(
  program: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<void> {
  const serving = spawn(program, ['serve', '--port', '0'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const address = await new Promise<string>((found, failed) => {
      let printed = '';
      for (const stream of [serving.stdout, serving.stderr])
        stream.on('data', (data) => {
          printed += data;
          const [url] = printed.match(/http:\/\/[^\s#]+/) ?? [];
          if (url) found(url);
        });
      serving.on('exit', () => failed(new Error(printed)));
    });
    assert.match(await (await fetch(address)).text(), /<title>Precedent/);
  } finally {
    serving.kill();
  }
}

/** @throws AssertionError where a program that imports the package would not find its code or its types */
function lint(packed: string): void {
  for (const [version, command] of LINTS)
    run('npm', ['exec', '--yes', '--package', version, '--', command, packed]);
  tell(`✔ ${LINTS.map(([version]) => version).join(', ')}: clean`);
}

/** The bundle for desktop clients, by the tool that publishes its schema. */
function bundle(source: string): void {
  const into = resolve('release');
  const content = join(folder, 'bundle');
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into);
  cpSync(join(source, 'package'), content, { recursive: true });
  for (const [path, text] of released()) {
    writeFileSync(join(into, path), text);
    if (path === 'manifest.json') writeFileSync(join(content, path), text);
  }
  const file = join(into, `precedent-${pkg.version}.mcpb`);
  run('npm', ['exec', '--yes', '--package', MCPB, '--', 'mcpb', 'validate', join(content, 'manifest.json')]);
  run('npm', ['exec', '--yes', '--package', MCPB, '--', 'mcpb', 'pack', content, file]);
  tell(`✔ bundle of ${(statSync(file).size / 1e6).toFixed(1)} MB, valid`);
}

/** What would be published where. */
function list(): void {
  tell(
    [
      '',
      'Would be published:',
      `  npm           ${pkg.name}@${pkg.version}: npm publish package --provenance`,
      `  MCP registry  ${REGISTRY_NAME}: mcp-publisher publish (release/server.json)`,
      `  Claude Code, Codex, Copilot CLI, Gemini CLI: this repository, ${REPOSITORY}`,
      `  Claude Desktop  release/precedent-${pkg.version}.mcpb, with the release of the repository`,
      '  container     deploy/Containerfile',
      ...(HAS_REPOSITORY ? [] : [`  ! "repository" in package.json is the placeholder ${REPOSITORY}`]),
      ...(IS_PUBLISHED ? [] : ['  ! package.json is still "private"']),
      `✔ ${((performance.now() - began) / 1000).toFixed(0)} s`,
    ].join('\n'),
  );
}

function filesIn(at: string): string[] {
  return globSync('**/*', { cwd: at, withFileTypes: true, exclude: (entry) => entry.name === '.git' })
    .concat(globSync('**/.*/**/*', { cwd: at, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** @returns what the program printed. @throws AssertionError with all that it printed where it fails */
function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): string {
  const ran = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20, ...options });
  assert.equal(ran.status, 0, `${command} ${args.join(' ')}\n${ran.error ?? ''}${ran.stdout}${ran.stderr}`);
  return ran.stdout;
}
