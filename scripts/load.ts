import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * Runs the suite beside loops that do nothing but keep the processors busy: what fails only here depends on who is
 * faster (K-8). Without --loops there are twice as many as processors; all else goes on to `npm test`.
 *
 *   npm run test:load -- [--loops=8] [test files and options]
 */
const given = process.argv.slice(2);
const loops = Number(
  given.find((argument) => argument.startsWith('--loops='))?.slice('--loops='.length) ??
    2 * availableParallelism(),
);
const rest = given.filter((argument) => !argument.startsWith('--loops='));
const tell = (line: string) => process.stdout.write(`${line}\n`);

// Threads, not processes: they cannot outlive this one, however it ends.
for (let n = 0; n < loops; n++) new Worker('for (;;);', { eval: true });
const started = performance.now();
const suite = spawn(process.execPath, ['scripts/test.ts', ...rest], { stdio: 'inherit' });
const [code] = await once(suite, 'exit');
const seconds = ((performance.now() - started) / 1_000).toFixed(0);
tell(
  `${code === 0 ? 'passed' : 'FAILED'} beside ${loops} busy loops on ${availableParallelism()} processors, in ${seconds} s; load ${loadavg()[0]?.toFixed(1)}`,
);
process.exit(code ?? 1);
