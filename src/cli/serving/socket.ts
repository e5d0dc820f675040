import { lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { PrecedentError } from '../../domain/error.ts';

/**
 * Listens at a socket of this machine, which its owner alone may use from the moment that it is there. One that a server
 * left behind which ended unasked is replaced; any other file is nobody's to take away.
 * @throws PrecedentError `invalid` for a path where something else is, `unavailable` where another server listens
 */
export async function listenAtSocket<Listening>(
  path: string,
  listen: () => Promise<Listening>,
): Promise<Listening> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isSocket())
    throw new PrecedentError(
      'invalid',
      `Expected --socket to name a socket or nothing, found a file: ${path}`,
    );
  if (found && (await isListenedTo(path)))
    throw new PrecedentError('unavailable', `Another server listens at ${path}: name another with --socket.`);
  if (found) rmSync(path, { force: true });
  const before = process.umask(0o177);
  try {
    return await listen();
  } finally {
    process.umask(before);
  }
}

function isListenedTo(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}
