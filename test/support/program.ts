import './patient.cjs';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Client, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type * as z from 'zod';
import { runIn } from '../../src/files/surroundings.ts';
import type { Operations } from '../../src/operations/index.ts';
import { PATIENT } from './clock.ts';

/** The repository, and the program as it ships. */
export const ROOT = resolve(import.meta.dirname, '../..');
export const PROGRAM = join(ROOT, 'dist/precedent.cjs');

/**
 * What the programs of all tests have in their environment: no deadline of the product, and compiled code that they share, since
 * in a home of its own each would compile everything anew.
 */
export const OF_PROGRAMS = { NODE_OPTIONS: PATIENT, XDG_CACHE_HOME: process.env.PRECEDENT_TEST_CACHE };

/** Both protocol eras that a server speaks. */
export const ERAS: Record<string, VersionNegotiationMode> = {
  'legacy 2025': 'legacy',
  '2026-07-28': { pin: '2026-07-28' },
};

type AnyOperation = Operations[number];
export type Name = AnyOperation['name'];
export type Result<N extends Name> = z.output<Extract<AnyOperation, { name: N }>['output']>;

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Put over the workbench's own environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** What comes in on standard input; nothing when left out. */
  stdin?: string | Uint8Array;
  /** Rejects when the deadline of a hook that is called has passed; left out: never. */
  late?: Promise<never>;
  /** Other than the built program. */
  program?: string;
  /** A command that runs the program: this is put before it. */
  under?: string[];
}

export interface ConnectOptions extends Omit<RunOptions, 'stdin'> {
  era?: VersionNegotiationMode;
  name?: string;
  version?: string;
  /** Arguments after `mcp`; left out, every tool is offered. */
  args?: string[];
}

const EVERY_TOOL = ['--tools', 'all'];

/** Where {@link workbench} runs command lines. */
export type Where = 'in a process' | 'here';

/**
 * A folder of one test's own, and the program run in it; processes and folder are gone after the test.
 * @param how.isOfPerson false where command lines without a terminal are a program's
 * @param where a process of its own for each command line is what ships, and takes ten times as long as a call of the
 *   same function from the sources: for who asks what a command answers, and not how it starts, ends or is told of signals
 */
export function workbench(
  test: { after: (clean: () => Promise<void>) => void },
  where: Where = 'in a process',
  { isOfPerson = true } = {},
) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'precedent-')));
  const db = join(folder, 'memory.db');
  const open: (() => Promise<unknown>)[] = [];
  test.after(async () => {
    await Promise.all(open.map((close) => close()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Nothing of whoever runs the tests: not their memory, nor their colours, nor their git settings. */
  function environment(env: RunOptions['env'] = {}): Record<string, string> {
    const own = {
      HOME: folder,
      PRECEDENT_DB: db,
      PRECEDENT_WORKSPACE: 'bench',
      ...OF_PROGRAMS,
    };
    // A test adds to how a program starts, and takes nothing away: not by an undefined one, either.
    const NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} ${PATIENT}`.trim();
    const all = Object.entries({ ...getDefaultEnvironment(), ...own, ...env, NODE_OPTIONS });
    const set = Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
    if (isOfPerson) asPerson(set);
    return set;
  }

  function start(args: string[], { env, cwd = folder, program = PROGRAM, under = [] }: RunOptions = {}) {
    const [command = '', ...words] = [...under, process.execPath, program, ...args];
    const child = spawn(command, words, { cwd, env: environment(env) });
    // A process that ends before it has read its input is no error of the test.
    child.stdin.on('error', () => {});
    const exited = once(child, 'exit').then(([code]) => code as number | null);
    open.push(async () => child.kill('SIGKILL') && exited);
    return { child, exited };
  }

  /** Runs the command line to its end: a server that starts has none, and fails the test at once. */
  async function run(args: string[], options: RunOptions = {}): Promise<Ran> {
    if (where === 'here' && !needsProcess(args, options)) return runHere(args, options);
    const { child, exited } = start(args, options);
    child.stdin.end(options.stdin ?? '');
    const isServer = args[0] === 'serve';
    if (isServer) child.stdout.once('data', () => child.kill());
    const [code, stdout, stderr] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
    if (isServer) assert.equal(stdout, '', 'a server that should refuse has started');
    return { code, stdout, stderr };
  }

  /** {@link run}, as a call. */
  async function runHere(args: string[], { env, cwd = folder, stdin = '', late }: RunOptions): Promise<Ran> {
    const variables = environment(env);
    const [stdout, stderr] = [collector(), collector()];
    const surroundings = {
      env: variables,
      cwd: () => cwd,
      home: () => variables.HOME ?? '',
      stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
      stdout: stdout.output,
      stderr: stderr.output,
    };
    const argv = ['node', 'precedent', ...args];
    if (args.includes('hook')) {
      const { hook } = await import('../../src/hook/main.ts');
      const write = async (text: string) => void stdout.output.write(text);
      await runIn(surroundings, () => hook(argv, { ...surroundings, write, ...(late && { late }) }));
      return { code: 0, stdout: stdout.text(), stderr: stderr.text() };
    }
    const { main } = await import('../../src/cli/main.ts');
    const code = await main(argv, surroundings);
    return { code: code ?? 0, stdout: stdout.text(), stderr: stderr.text() };
  }

  /** What a person sees who types this at a terminal: a call, as {@link runHere}, at a terminal that is played. */
  async function type(typed: string, args: string[], env: RunOptions['env'] = {}) {
    const { main } = await import('../../src/cli/main.ts');
    const variables = environment({ NO_COLOR: '1', TERM: 'xterm', ...env });
    const seen = collector(AS_TERMINAL);
    // A key at a time, and a terminal does not end: who is asked more waits in vain, which fails the test.
    const left = [...typed];
    const keys = new Readable({
      highWaterMark: 1,
      read() {
        const key = left.shift();
        if (key !== undefined) this.push(Buffer.from(key));
      },
    });
    const code = await main(['node', 'precedent', ...args], {
      env: variables,
      cwd: () => folder,
      home: () => folder,
      stdin: Object.assign(keys, { isTTY: true }),
      stdout: seen.output,
      stderr: seen.output,
    });
    return { status: code ?? 0, shown: seen.text().replaceAll('\r', '') };
  }

  /** {@link type} at a terminal that script(1) gives to a process. */
  function typeInProcess(typed: string, args: string[], env: RunOptions['env'] = {}) {
    const words = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(' ');
    const own = { PATH: process.env.PATH, NO_COLOR: '1', TERM: 'xterm', LC_ALL: 'C.UTF-8', ...env };
    const { stdout, status } = spawnSync('script', ['-qec', words, '/dev/null'], {
      input: typed,
      env: environment(own),
      encoding: 'utf8',
    });
    return { status, shown: stdout.replaceAll('\r', '') };
  }

  /** Runs what must succeed, and with no word on stderr but that it made a memory. @returns standard output */
  async function succeed(args: string[], options?: RunOptions): Promise<string> {
    const ran = await run(args, options);
    const stderr = ran.stderr.replace(NEW_WORKSPACE, '');
    assert.deepEqual({ code: ran.code, stderr }, { code: 0, stderr: '' }, args.join(' '));
    return ran.stdout;
  }

  /** A server spoken to line by line. */
  function serve(options?: RunOptions) {
    const { child, exited } = start(['mcp', ...EVERY_TOOL], options);
    const lines: string[] = [];
    const waiting = new Map<number, (line: string) => void>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      // The id of the message: a result may hold others.
      const { id } = JSON.parse(line) as { id?: number };
      if (id !== undefined) waiting.get(id)?.(line);
    });
    /** Sends a line as it is. */
    const write = (line: string) => void child.stdin.write(`${line}\n`);
    /** Waits for the answer to a request, with its result or its error. */
    async function answered(id: number) {
      const told = new Promise<string>((tell) => waiting.set(id, tell));
      const ended = exited.then((code) => assert.fail(`the server ended with ${code} before it answered`));
      return JSON.parse(await Promise.race([told, ended]).finally(() => waiting.delete(id)));
    }
    /** Sends a request. @returns the whole answer */
    function answer(id: number, method: string, params: object) {
      const answer = answered(id);
      write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return answer;
    }
    return {
      child,
      exited,
      /** What it has said on standard output. */
      lines,
      stderr: text(child.stderr),
      write,
      answered,
      answer,
      /** {@link answer}'s result alone. */
      ask: async (id: number, method: string, params: object) => (await answer(id, method, params)).result,
    };
  }

  /** A server with a client of the SDK. */
  async function connect({
    era = 'legacy',
    name = 'tester',
    version = '1.0',
    ...options
  }: ConnectOptions = {}) {
    const { env, cwd = folder, program = PROGRAM, args = EVERY_TOOL } = options;
    const client = new Client({ name, version }, { versionNegotiation: { mode: era } });
    const isHere = where === 'here' && !needsProcess([], options);
    const { transport, stderr } = isHere
      ? serverHere(args, environment(env), cwd)
      : serverProcess([program, 'mcp', ...args], environment(env), cwd);
    let log = '';
    stderr?.on('data', (data) => {
      log += data;
    });
    open.push(() => client.close());
    await client.connect(transport);
    const ask = (tool: string, input: object) =>
      client.callTool({ name: tool, arguments: input as Record<string, unknown> });
    return {
      client,
      ask,
      /** Waits for this in the log: a pipe of its own, so that it may arrive after the answer it belongs to. */
      async logs(pattern: RegExp): Promise<void> {
        assert(stderr, 'standard error is piped');
        while (!pattern.test(log)) await once(stderr, 'data');
      },
      /** Calls a tool that must succeed. */
      async call<N extends Name>(tool: N, input: object = {}): Promise<Result<N>> {
        const answer = await ask(tool, input);
        assert.notEqual(answer.isError, true, JSON.stringify(answer.content));
        return resultOf(answer) as Result<N>;
      },
      /** Calls a tool that must refuse. @returns what it says, which gives nothing away */
      async refusal(tool: Name, input: object = {}): Promise<string> {
        const { isError, content } = await ask(tool, input);
        const [said] = content;
        assert(isError === true && said?.type === 'text', `${tool} did not refuse`);
        givesNothingAway(said.text);
        return said.text;
      },
    };
  }

  return { folder, db, run, succeed, type, typeInProcess, start, serve, connect };
}

/** Makes the scripts of this home a person's (Z-14): most tests are about what a person does, and have no terminal. */
export function asPerson({ HOME = '', XDG_DATA_HOME = '' }: Record<string, string>): void {
  if (HOME === '' || !existsSync(HOME)) return;
  // A relative folder counts as none: the tests of that must not write into the project.
  const data = isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(HOME, '.local', 'share');
  const people = join(data, 'precedent', 'people');
  mkdirSync(dirname(people), { recursive: true });
  writeFileSync(people, '*\n', { mode: 0o600 });
}

/** A server in a process of its own, and what it logs. */
function serverProcess(args: string[], env: Record<string, string>, cwd: string) {
  const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd, stderr: 'pipe' });
  return { transport, stderr: transport.stderr };
}

/** The same server as a call, on pipes of its own; it has ended when its client is closed. */
function serverHere(args: string[], env: Record<string, string>, cwd: string) {
  const [input, output, stderr] = [new PassThrough(), pipe(), pipe()];
  const surroundings = {
    env,
    cwd: () => cwd,
    home: () => env.HOME ?? '',
    stdin: input,
    stdout: output,
    stderr,
  };
  const ended = once(output, 'close');
  const transport = new StdioServerTransport(output, input);
  const [start, close] = [transport.start.bind(transport), transport.close.bind(transport)];
  transport.start = async () => {
    const { main } = await import('../../src/cli/main.ts');
    await main(['node', 'precedent', 'mcp', ...args], surroundings);
    await start();
  };
  transport.close = async () => {
    input.end();
    output.resume();
    await ended;
    await close();
  };
  return { transport, stderr };
}

/** What a program that writes to it takes for a pipe. */
const pipe = () => Object.assign(new PassThrough(), AS_PIPE);
const AS_PIPE = { isTTY: false, columns: 0, rows: 0, hasColors: () => false };
/** A terminal that does not say how large it is, as that of script(1). */
const AS_TERMINAL = { ...AS_PIPE, isTTY: true };

/** Servers go on when the call has ended; the time zone and Node's options belong to a whole process. */
function needsProcess([command = '']: string[], { program, under, env = {} }: RunOptions): boolean {
  const isServer = ['complete', 'mcp', 'open', 'serve'].includes(command);
  return isServer || Boolean(program || under || env.TZ || env.NODE_OPTIONS);
}

/** A pipe that keeps what is written to it. */
function collector(as = AS_PIPE) {
  const pieces: Buffer[] = [];
  const output = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece);
      done();
    },
  });
  return { output: Object.assign(output, as), text: () => Buffer.concat(pieces).toString() };
}

/** The result that a tool answered: its text, which is JSON. */
export function resultOf({
  content,
}: {
  content?: { type: string; text?: string }[];
}): Record<string, unknown> {
  return JSON.parse(content?.[0]?.text ?? 'null');
}

/** What the first save says before it makes a memory. */
export const NEW_WORKSPACE = /^precedent: New workspace "[^"]+"\..*\n/;

export const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'by hand', version: '1.0' },
};

/** Asserts that a message shows no SQL, no path of the code and no stack. */
export function givesNothingAway(message: string): void {
  for (const pattern of [
    /\b(select .* from|insert into|update .* set|delete from)\b/i,
    /sqlite|no such table/i,
  ]) {
    assert.doesNotMatch(message, pattern);
  }
  for (const part of [ROOT, 'node_modules', 'file://', '    at ']) {
    assert(!message.includes(part), `"${part}" is in: ${message}`);
  }
}
