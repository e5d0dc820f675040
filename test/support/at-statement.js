// Whoever loads this is killed before it sends its statement of a number, to SQLite or to a server, or writes, renames or removes
// a file or starts a program instead; 0: it comes to its end, and the report says how many it sent. Plain JavaScript: programs load it before they start.
import programs from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const { at, report } = JSON.parse(process.env.PRECEDENT_TEST_AT_STATEMENT);
const { writeFileSync } = fs;
let sent = 0;

function counted(object, name, counts = () => true) {
  const call = object[name];
  object[name] = function (...args) {
    if (counts(this) && ++sent === at) process.kill(process.pid, 'SIGKILL');
    return call.apply(this, args);
  };
}
for (const name of ['run', 'all', 'iterate']) counted(StatementSync.prototype, name);
counted(DatabaseSync.prototype, 'exec');
// What is said on standard output goes through a socket, too.
counted(Socket.prototype, 'write', ({ remotePort }) => remotePort !== undefined);
for (const name of ['writeFileSync', 'renameSync', 'rmSync']) counted(fs, name);
counted(programs, 'execFile');
syncBuiltinESMExports();

process.on('exit', () => writeFileSync(report, String(sent)));
