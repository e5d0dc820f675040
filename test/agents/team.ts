import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Rig } from './rig.ts';

/**
 * `precedent serve` over the memories of the rig, as a team has it, with a token that the agents' environment holds.
 * @returns its address, what its audit says, and its end
 */
export async function serveTeam({ home, project, installed, environment, precedent }: Rig) {
  const { token } = await precedent('token', 'add', 'minsu');
  const audit = join(home, 'audit.jsonl');
  const launcher = join(installed, 'dist/precedent.cjs');
  const child = spawn(process.execPath, [launcher, 'serve', '--port', '0', '--audit', audit], {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [first] = await once(createInterface({ input: child.stdout }), 'line');
  const [url] = String(first).match(/http:\/\/\S+/) ?? [];
  assert(url, String(first));
  Object.assign(environment, { PRECEDENT_TOKEN: token });
  return {
    url,
    token: String(token),
    /** The operations that were called with the token, by face. */
    called: () =>
      readFileSync(audit, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ face, operation, code }) => `${face} ${operation} ${code}`),
    async end() {
      child.kill();
      await exited;
    },
  };
}
