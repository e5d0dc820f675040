import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `npm start` in a clone: the demo, and before it whatever it lacks. Plain JavaScript, since any Node may run it.
const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'dist', 'precedent.cjs');

// Ctrl-C reaches every process of the terminal. This one waits until the others have cleaned up.
process.on('SIGINT', () => {});

if (!existsSync(join(root, 'node_modules'))) await npm('ci');
if (!existsSync(program)) await npm('run', 'build');
const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
process.exitCode = await run(existsSync(pinned) ? pinned : process.execPath, [
  program,
  'open',
  '--demo',
  ...process.argv.slice(2),
]);

async function npm(...args) {
  const code = await run(process.execPath, [process.env.npm_execpath, ...args]);
  if (code !== 0) process.exit(code);
}

/** @returns the exit code of the program, which has this terminal */
async function run(command, args) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
