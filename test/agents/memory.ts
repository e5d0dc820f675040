import type { Rig } from './rig.ts';

/** What a person asks that the memory knows about, in a session of its own. */
export const TELLING = 'Where should the login session token be stored in the browser?';
/** What binds, what failed and where work stood, as the memory has it. */
export const BINDS = 'All times are stored as UTC';
export const FAILED = 'any script on the page could read it';
/** Locks of a file: one by its name, and one by a pattern (RE-3). */
export const LOCKS = { named: 'One number stands here', wide: 'No file reads the clock' };
export const FILE = 'src/numbers.txt';
/** What a command installs that a rule forbids, and what that rule says (RE-5). */
export const INSTALL = 'npm install moment';
export const FORBIDS = 'No moment.js: dates are Temporal';
export const STOOD = 'The import of invoices stands';
/** What an error says whose cause is recorded, and that cause. */
export const ERROR = 'prepared statement "s1" already exists';
export const CAUSE = 'PgBouncer hands out a connection';

/** What failed before that: more than a session may be told at its start. */
const MORE_FAILED = Object.entries({
  'cache:redis': 'Sessions are cached in Redis for a day, so that a restart of the server logs nobody out',
  'mail:queue': 'Mails are sent by a queue of their own, which tries again for an hour before it gives up',
  'money:float': 'Amounts of money are floating point numbers, since the prices of our suppliers are',
  'deploy:friday': 'Each merge is deployed at once, on any day of the week and at any time of the day',
  'search:like': 'Customers are searched with a pattern over their names, without an index of its own',
  'images:inline': 'Small images are kept in the database beside the records that they belong to',
  'logs:files': 'Logs are written to files on the machine itself, which are rotated every night',
  'names:split': 'The name of a person is kept as a first name and a last name, in that order',
  'retry:always': 'A request that fails is repeated three times, at once and without a pause between',
  'ids:serial': 'Records are numbered one after another, and the number is in all of the addresses',
});
const REASON = 'many customers complained about it in the week after it was released';

/** A memory of the project with something of each kind, made by the command line. */
export async function fillMemory({ precedent }: Rig): Promise<void> {
  const save = (topic: string, decision: string, ...options: string[]) =>
    precedent('tool', 'mama_save', topic, decision, ...options);
  await save('all:axis', BINDS, '--scope', 'global', '--strength', 'axis');
  for (const [topic, decision] of MORE_FAILED) {
    const { id } = await save(topic, decision);
    await precedent('tool', 'mama_update', id, 'failed', REASON);
  }
  const { id } = await save('auth:session', 'Keep the login session token in localStorage');
  await precedent('tool', 'mama_update', id, 'failed', FAILED);
  await save(
    'auth:session',
    'Keep the login session token in an httpOnly cookie',
    '--reasoning',
    'No script reads it',
  );
  await save('file:named', LOCKS.named, '--strength', 'lock', '--files', FILE);
  await save('file:wide', LOCKS.wide, '--strength', 'lock', '--files', 'src/**');
  await save('deps:dates', FORBIDS, '--strength', 'axis');
  await save('api:pagination', 'Pages of the API are found by a cursor', '--reasoning', 'Offsets skip rows');
  await save('ui:language', 'Messages are translated when they are shown', '--reasoning', 'Logs stay alike');
  await precedent('tool', 'mem_save', ERROR, `${CAUSE} whose statements stayed`, '--type', 'bugfix');
  await precedent(
    'tool',
    'mama_save',
    '--type',
    'checkpoint',
    '--summary',
    STOOD,
    '--next-steps',
    'Write its tests',
  );
}
