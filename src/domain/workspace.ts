import { invalid } from './error.ts';
import { secretIn } from './text/masking.ts';

/** The longest name in bytes: a database takes no longer name of a schema, and a file system adds an ending. */
export const LONGEST_WORKSPACE = 63;
/** The form of a workspace's name. */
export const NAME = /^[\p{L}\p{N}_~-][\p{L}\p{N}._~-]*$/u;

/** @throws PrecedentError `invalid` when no workspace can have this name */
export function checkWorkspace(name: string): void {
  // It is in every answer, in the audit and in the name of a file (Z-9).
  const secret = typeof name === 'string' ? secretIn(name) : undefined;
  if (secret !== undefined)
    throw invalid.holds_secret(`Expected a workspace name, found one that holds a secret (${secret}).`);
  if (typeof name === 'string' && NAME.test(name) && Buffer.byteLength(name) <= LONGEST_WORKSPACE) return;
  throw invalid.wrong_name(
    `Expected a workspace name of letters, digits, ".", "_", "~" and "-", at most ${LONGEST_WORKSPACE} bytes, found ${JSON.stringify(String(name).slice(0, 80))}.`,
  );
}

/** Whether what a memory is synced with is a memory on a server, by its address (H-1). */
export const isOnServer = (place: string): boolean => /^https?:\/\//.test(place);

/** The address of the memory of that name on a server, by which it is synced. */
export const addressAt = (url: string, workspace: string): string =>
  `${url}/api/v1/${encodeURIComponent(workspace)}/sync`;

/** The name of the memory at such an address. */
export const nameAt = (address: string): string =>
  decodeURIComponent(new URL(address).pathname.split('/')[3] ?? '');
