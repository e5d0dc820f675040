import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { unavailable } from '../domain/error.ts';
import { jsonIn } from '../domain/text/json.ts';
import type { Ask, Machine } from './agent.ts';
import { forCmd } from './shell.ts';

/** How long a program may take for a whole conversation, in milliseconds. */
const DEADLINE = 15_000;

/** What decides how a program is started. */
type System = Pick<Machine, 'platform' | 'environment'>;

/**
 * Speaks with a program in lines of JSON-RPC, over its standard input and output; it ends with the conversation.
 * @param program absolute path
 * @throws PrecedentError `unavailable` when it cannot be started, ends before it answers, or takes too long
 */
export async function converse<T>(
  program: string,
  args: readonly string[],
  system: System,
  talk: (ask: Ask, notify: (method: string) => void) => Promise<T>,
): Promise<T> {
  const { command, words, ...options } = startOf(program, args, system);
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  const child = spawn(command, words, { ...options, env: system.environment, stdio, windowsHide: true });
  const named = [program, ...args].join(' ');
  let asked = 0;
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Programs write other lines, too.
    const answer = jsonIn(line) as Answer | null | undefined;
    if (answer?.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  child.stdin.on('error', () => {});
  const send = (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask: Ask = async (method, params) => {
    const id = ++asked;
    const answered = new Promise<Answer>((tell) => waiting.set(id, tell));
    send({ id, method, params });
    const { result, error } = await answered;
    if (error === undefined) return result;
    throw unavailable.agent_failed(`"${named}" refuses ${method}: ${error.message ?? 'no reason'}.`);
  };
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    const fail = (what: string, cause?: unknown) =>
      reject(unavailable.agent_failed(`"${named}" ${what}.`, { cause }));
    child.on('error', (error) => fail('cannot be started', error));
    child.on('exit', (code) => fail(`ended with ${code ?? 'a signal'} before it answered`));
    timer = setTimeout(() => fail(`did not answer within ${DEADLINE / 1000} seconds`), DEADLINE);
  });
  try {
    return await Promise.race([talk(ask, (method) => send({ method })), failed]);
  } finally {
    clearTimeout(timer);
    failed.catch(() => {});
    child.stdin.end();
    child.kill();
  }
}

interface Answer {
  id?: number;
  result?: unknown;
  error?: { message?: string };
}

/** What starts a program: on Windows npm installs a script, which only its shell can start. */
export function startOf(
  program: string,
  args: readonly string[],
  { platform, environment }: System,
): { command: string; words: string[]; windowsVerbatimArguments?: true } {
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(program)) return { command: program, words: [...args] };
  const words = ['/d', '/s', '/c', `"${forCmd([program, ...args])}"`];
  return { command: environment.ComSpec ?? 'cmd.exe', words, windowsVerbatimArguments: true };
}
