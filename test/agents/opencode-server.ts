import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Body } from './protocols/protocol.ts';
import type { Rig } from './rig.ts';

/** Talks to OpenCode as its windows do; its command line compacts nothing. */
export async function withOpencodeServer(
  { program, environment, project }: Rig,
  work: (post: (path: string, body: object) => Promise<Body>) => Promise<void>,
): Promise<void> {
  const child = spawn(program, ['serve', '--port', '0'], {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  try {
    const url = await addressIn(createInterface({ input: child.stdout }));
    await work(async (path, body) => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    });
  } finally {
    child.kill();
    await exited;
  }
}

async function addressIn(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [url] = line.match(/http:\/\/\S+/) ?? [];
    if (url) return url;
  }
  throw new Error('OpenCode ended before it listened.');
}
