import type { Rig } from './rig.ts';

/** What a person asks that the memory knows about, in a session of its own. */
export const TELLING = 'Where should the login session token be stored in the browser?';
/** What binds, what failed and where work stood, as the memory has it. */
export const BINDS = 'All times are stored as UTC';
export const FAILED = 'any script on the page could read it';
export const STOOD = 'The import of invoices stands';

/** What failed before that: more than a session is told at its start. */
const MORE_FAILED = Object.entries({
  'cache:redis': 'Sessions are cached in Redis for a day so that a restart logs nobody out',
  'mail:queue': 'Mails are sent by a queue of their own, which retries for an hour',
  'money:float': 'Amounts of money are floating point numbers in the smallest unit',
});

/** A memory of the project with something of each kind, made by the command line. */
export async function fillMemory({ precedent }: Rig): Promise<void> {
  const save = (topic: string, decision: string, ...options: string[]) =>
    precedent('mama', 'save', topic, decision, ...options);
  await save('all:axis', BINDS, '--scope', 'global', '--strength', 'axis');
  for (const [topic, decision] of MORE_FAILED) {
    const { id } = await save(topic, decision);
    await precedent('mama', 'update', id, 'failed', 'customers complained about it');
  }
  const { id } = await save('auth:session', 'Keep the login session token in localStorage');
  await precedent('mama', 'update', id, 'failed', FAILED);
  await save(
    'auth:session',
    'Keep the login session token in an httpOnly cookie',
    '--reasoning',
    'No script reads it',
  );
  await save('api:pagination', 'Pages of the API are found by a cursor', '--reasoning', 'Offsets skip rows');
  await save('ui:language', 'Messages are translated when they are shown', '--reasoning', 'Logs stay alike');
  await precedent(
    'mama',
    'save',
    '--type',
    'checkpoint',
    '--summary',
    STOOD,
    '--next-steps',
    'Write its tests',
  );
}
