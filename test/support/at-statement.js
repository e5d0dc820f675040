// Whoever loads this is killed before it sends its statement of a number, to SQLite or to a server; 0: it comes to its end,
// and the report says how many it sent. Plain JavaScript: programs load it before they start.
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const { at, report } = JSON.parse(process.env.PRECEDENT_TEST_AT_STATEMENT);
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

process.on('exit', () => writeFileSync(report, String(sent)));
