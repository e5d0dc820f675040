// Loaded into each process of the program that an attack meets: writes down what it took when it ends.
import { appendFileSync } from 'node:fs';

const { PRECEDENT_TEST_SPENT: file } = process.env;
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = (userCPUTime + systemCPUTime) / 1e6;
  const line = { args: process.argv.slice(2).join(' '), cpu, rss: maxRSS * 1024 };
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
});
