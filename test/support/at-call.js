// Whoever loads this runs another program to its end at one of its own calls: before the call of that number that has to do
// with a folder. Without a program it is killed there. What may happen between any two calls of a process is tried out so, one after the other, and nothing
// depends on who is faster. Plain JavaScript: programs load it before they start.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

const { folder, at, program, report } = JSON.parse(process.env.PRECEDENT_TEST_AT_CALL);
const { writeFileSync } = fs;
const calls = [];
let other;

function next(name) {
  calls.push(name);
  if (calls.length !== at) return;
  if (program === undefined) process.kill(process.pid, 'SIGKILL');
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { env, encoding: 'utf8' });
  other = { code: status, stdout, stderr };
}

for (const [name, call] of Object.entries(fs)) {
  if (!name.endsWith('Sync')) continue;
  fs[name] = Object.assign((...args) => {
    const path = args.find((each) => typeof each === 'string' && each.startsWith(folder));
    if (path === undefined) return call(...args);
    const shown = `${name} ${path.slice(folder.length)}`;
    next(shown);
    const result = call(...args);
    // SQLite opens a file by itself, after somebody has looked at it.
    if (name === 'statSync' && path.endsWith('.db')) next(`after ${shown}`);
    return result;
  }, call);
}
for (const name of ['exec', 'prepare', 'close']) {
  const call = DatabaseSync.prototype[name];
  DatabaseSync.prototype[name] = function (...args) {
    next(`${name} ${args.join()}`);
    return call.apply(this, args);
  };
}
syncBuiltinESMExports();

process.on('exit', () => writeFileSync(report, JSON.stringify({ calls, other })));
