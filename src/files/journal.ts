import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The end of a rollback journal with the name of a super-journal before it: https://sqlite.org/atomiccommit.html#_multi_file_commit */
const MARK = Buffer.from('d9d505f920a163d7', 'hex');

/**
 * Whether a rollback journal may name another file (Z-11): SQLite up to 3.53.1 deletes that file when it opens the database
 * next to the journal. SQLite also compares a length and a checksum; here the mark alone counts.
 * @param journal a regular file, or none
 */
export function namesAnotherFile(journal: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(journal, 'r');
    const end = Buffer.alloc(MARK.length);
    readSync(file, end, 0, end.length, Math.max(0, fstatSync(file).size - end.length));
    return end.equals(MARK);
  } catch (error) {
    // The transaction that wrote it has ended meanwhile.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
