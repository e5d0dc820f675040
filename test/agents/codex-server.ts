import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Body } from './protocols/protocol.ts';
import type { Rig } from './rig.ts';

/** Talks to Codex as its editors do; there alone a session can be compacted where nobody types. */
export async function withCodexServer<T>(
  { program, environment, project }: Rig,
  work: (server: {
    ask(method: string, params: object): Promise<Body>;
    /** Waits for a notification that comes after now. */
    told(method: string): Promise<Body>;
  }) => Promise<T>,
): Promise<T> {
  const child = spawn(program, ['app-server'], {
    cwd: project,
    env: environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map<number | string, (message: Body) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    const key = message.id ?? message.method;
    const waits = waiting.get(key);
    waiting.delete(key);
    waits?.(message);
  });
  const next = (key: number | string) => new Promise<Body>((resolve) => waiting.set(key, resolve));
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  let last = 0;
  const ask = async (method: string, params: object) => {
    const id = ++last;
    const answer = next(id);
    send({ id, method, params });
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  try {
    await ask('initialize', { clientInfo: { name: 'rig', version: '1' } });
    send({ method: 'initialized' });
    return await work({ ask, told: next });
  } finally {
    child.kill();
  }
}
