// Loaded into each process of the program that an attack meets: writes down what it took when it ends, and at once what it
// started, and where it looked on another machine.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';

const { PRECEDENT_TEST_SPENT: file } = process.env;
const args = process.argv.slice(2).join(' ');
const note = (line) => file && appendFileSync(file, `${JSON.stringify({ args, ...line })}\n`);

// Also what Node asks the system by itself, as to resolve a link.
const system = process.binding('fs');
for (const [name, call] of Object.entries(system))
  if (typeof call === 'function' && /^[a-z]/.test(name))
    system[name] = (...words) => {
      if (/^\/net(\/|$)/.test(String(words[0]))) note({ away: `${name} ${words[0]}` });
      return call(...words);
    };

subscribe('child_process', ({ process: child }) => {
  child.once('spawn', () => note({ asked: child.spawnargs }));
});
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  note({ cpu: (userCPUTime + systemCPUTime) / 1e6, rss: 1024 * (ownPeak() ?? maxRSS) });
});

/** Kilobytes of memory at most, on Linux: what is said of its resources has those of the process that started it, too. */
function ownPeak() {
  if (process.platform !== 'linux') return undefined;
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
}
