import { timingSafeEqual } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import type { Log } from '../../domain/log.ts';
import type { Grant } from './grant.ts';
import { readTokens } from './token-file.ts';
import { hashOf, type TokenRecord } from './tokens.ts';

/**
 * The grant of a token, or of a request without one; undefined if there is none. May throw `unavailable`.
 * @param tell receives why a token is refused, for the operator (OP-6)
 */
export type Authenticate = (
  token: string | undefined,
  tell?: (why: string) => void,
) => Promise<Grant | undefined>;

/** The token of a request, if any. */
export function bearerOf(headers: Headers): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(headers.get('authorization') ?? '')?.[1];
}

/** Tries several ways of authentication in order. */
export function anyOf(...ways: Authenticate[]): Authenticate {
  return async (token, tell) => {
    for (const way of ways) {
      const grant = await way(token, tell);
      if (grant) return grant;
    }
    return undefined;
  };
}

/** Tokens in memory, such as that of a server for one person. */
export function byTokens(tokens: readonly TokenRecord[], now: () => number): Authenticate {
  return async (token) => valid(tokens, token, now());
}

/**
 * The tokens of a file, which is read again when it has changed: a token that is revoked ends without a restart. While a
 * change cannot be read, the last good tokens stay, and the log says so.
 * @throws PrecedentError as {@link readTokens}, at the start
 */
export function byTokenFile(path: string, log: Log, now: () => number): Authenticate {
  let seen = stampOf(path);
  let tokens = readTokens(path);
  return async (token) => {
    const stamp = stampOf(path);
    if (stamp !== seen) {
      seen = stamp;
      try {
        tokens = readTokens(path);
      } catch (error) {
        log(`The tokens stay as they were. ${(error as Error).message}`, 'error');
      }
    }
    return valid(tokens, token, now());
  };
}

/** Compares a hash with all others in constant time. */
function valid(tokens: readonly TokenRecord[], token: string | undefined, now: number): Grant | undefined {
  if (token === undefined) return undefined;
  const hash = Buffer.from(hashOf(token), 'hex');
  const equal = tokens.filter((each) => timingSafeEqual(Buffer.from(each.hash, 'hex'), hash));
  return equal.find(({ expires }) => expires > now);
}

/** A fingerprint that changes with the file. */
function stampOf(path: string): string {
  // A folder that may not be entered has no tokens for this server either.
  const found = existsSync(path) && statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : '';
}
