import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import { invalid, PrecedentError, unavailable } from '../../domain/error.ts';

/**
 * Opens the file of an audit to write at its end; a new one is its owner's alone. A file, or a link to one, that another
 * account put there is refused: it would read what is written, or have it written elsewhere. What root made is meant so,
 * such as `/dev/stderr`.
 * @returns its descriptor
 * @throws PrecedentError `invalid` for such a file, `unavailable` where none can be written
 */
export function openAudit(path: string): number {
  const refused = (found: string) =>
    invalid.unsafe_file(`Expected a file of your own for the audit, found ${found}: ${path}`);
  try {
    const named = lstatSync(path, { throwIfNoEntry: false });
    if (named && isStrangers(named)) throw refused("another account's");
    // A pipe without a reader is not waited for.
    const follow = named?.isSymbolicLink() ? 0 : (constants.O_NOFOLLOW ?? 0);
    const file = openSync(
      path,
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0) | follow,
      0o600,
    );
    if (!isStrangers(fstatSync(file))) return file;
    closeSync(file);
    throw refused("another account's");
  } catch (error) {
    if (error instanceof PrecedentError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw unavailable.no_access(`The file of the audit cannot be written (${code}): ${path}`, {
      cause: error,
    });
  }
}

function isStrangers({ uid }: Stats): boolean {
  return process.platform !== 'win32' && uid !== process.getuid?.() && uid !== 0;
}
