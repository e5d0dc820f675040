import { appendFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findDataFolder } from '../cli/settings.ts';
import { unavailable } from '../domain/error.ts';
import { jsonIn } from '../domain/text/json.ts';
import type { HookOptions } from './memory.ts';
import { type Called, respond } from './respond.ts';

/** How long a hook may take from its start, in milliseconds: an agent waits for it. */
const DEADLINE = 1_500;
/** How long it waits for a memory: then there is time left to say so. */
const PATIENCE = 1_350;
const left = (milliseconds: number) => Math.max(0, milliseconds - 1_000 * process.uptime());

/**
 * `precedent hook <agent>`: answers one event of a coding agent, which comes as JSON on standard input. Standard
 * output holds the answer in the form of that agent, or nothing. The exit code is 0 whatever happens: with another one,
 * some agents refuse the prompt of their user. A failure is a line in the log of hooks.
 */
export async function main(argv: string[]): Promise<never> {
  const timer = setTimeout(() => {
    fail(process.env, argv, `took longer than ${DEADLINE} ms`).finally(() => process.exit(0));
  }, left(DEADLINE));
  const late = new Promise<never>((_, reject) => {
    const error = unavailable.too_slow(`it did not answer within ${PATIENCE} ms`);
    setTimeout(() => reject(error), left(PATIENCE));
  });
  late.catch(() => {});
  await hook(argv, { env: process.env, cwd: () => process.cwd(), stdin: process.stdin, write, late });
  clearTimeout(timer);
  // Standard input may stay open for as long as the agent lives.
  process.exit(0);
}

/** The surroundings of a hook. */
interface Around extends Pick<Called, 'write' | 'late'> {
  env: NodeJS.ProcessEnv;
  cwd(): string;
  stdin: AsyncIterable<Buffer>;
}

/** {@link main} as a call, which has no deadline of its own and never throws. */
export async function hook(argv: string[], { env, cwd, stdin, ...telling }: Around): Promise<void> {
  const note = (what: string) => fail(env, argv, what);
  try {
    const { options, words } = readArguments(argv.slice(2));
    const payload = await readPayload(stdin);
    const called = { agent: words[1] ?? '', options, environment: env, ...telling, note };
    if (payload) await respond({ ...called, payload, cwd: cwd() });
    else
      await note(
        `expected an event as JSON of at most ${MOST} bytes on standard input, found something else`,
      );
  } catch (error) {
    await note(reasonOf(error));
  }
}

async function fail(env: NodeJS.ProcessEnv, argv: string[], what: string): Promise<void> {
  const dataFolder = await findDataFolder(env).catch(() => undefined);
  noteFailure(dataFolder, readArguments(argv.slice(2)).words[1] ?? '', what);
}

const NAMED = { type: 'string' } as const;

/** The arguments after the program's name; it ignores options that it does not know. */
function readArguments(args: string[]): { options: HookOptions; words: string[] } {
  const options = { db: NAMED, url: NAMED, workspace: NAMED, 'ask-locks': { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args, options, strict: false, allowPositionals: true });
  const { 'ask-locks': asksLocks = false, ...place } = values;
  return { options: { ...place, asksLocks } as HookOptions, words: positionals };
}

/** Past the stream of standard output, which takes 3 ms to be made. An agent that no longer listens misses nothing. */
async function write(text: string): Promise<void> {
  try {
    writeFileSync(1, text);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
}

/** Why something failed, without a text that somebody wrote. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown reason';
}

/** A longer log is begun again, in bytes. */
const LONGEST = 200_000;

/** Notes a failure in the log of hooks, in one line without a word of the prompt; nobody reads it while it happens. */
export function noteFailure(dataFolder: string | undefined, agent: string, what: string): void {
  if (dataFolder === undefined) return;
  const file = join(dataFolder, 'hooks.log');
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONGEST) truncateSync(file);
    const line = `${new Date().toISOString()} ${agent.slice(0, 40)} ${what}`.replace(/\s+/g, ' ');
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // No folder, or none that can be written: the agent goes on all the same.
  }
}

/** The most that is kept of an event, in bytes. A longer one is read to its end, so that its sender can go on. */
const MOST = 4_000_000;

/**
 * The JSON that an agent sends on standard input; undefined where it sends something else. Some agents never close it: it is
 * read as soon as it is whole.
 */
export async function readPayload(input: AsyncIterable<Buffer>): Promise<object | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const parsed = () => parse(Buffer.concat(chunks).toString('utf8'));
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > MOST) {
      chunks.length = 0;
      continue;
    }
    chunks.push(chunk);
    const whole = endsObject(chunk) ? parsed() : undefined;
    if (whole !== undefined) return whole;
  }
  return bytes > MOST ? undefined : parsed();
}

function endsObject(chunk: Buffer): boolean {
  return chunk.subarray(-4).toString('latin1').trimEnd().endsWith('}');
}

function parse(text: string): object | undefined {
  const value = jsonIn(text.replace(/^\ufeff/, ''));
  return typeof value === 'object' && value !== null ? value : undefined;
}
