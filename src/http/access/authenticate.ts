import { timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Log } from '../../domain/log.ts';
import type { Grant } from './grant.ts';
import { readTokens } from './token-file.ts';
import { hashOf, type TokenRecord } from './tokens.ts';

/** Whom a token, or a request without one, speaks for; undefined for nobody. May throw `unavailable`. */
export type Authenticate = (token: string | undefined) => Promise<Grant | undefined>;

/** The token of a request; undefined without one. */
export function bearerOf(headers: Headers): string | undefined {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(headers.get('authorization') ?? '')?.[1];
}

/** The first of several ways that knows the token. */
export function anyOf(...ways: Authenticate[]): Authenticate {
  return async (token) => {
    for (const way of ways) {
      const grant = await way(token);
      if (grant) return grant;
    }
    return undefined;
  };
}

/** Tokens that are held in memory, such as that of a server for one person. */
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

/** Compares hashes of equal length, each of them whatever was found before, so that no time shows which one was near. */
function valid(tokens: readonly TokenRecord[], token: string | undefined, now: number): Grant | undefined {
  if (token === undefined) return undefined;
  const hash = Buffer.from(hashOf(token), 'hex');
  const equal = tokens.filter((each) => timingSafeEqual(Buffer.from(each.hash, 'hex'), hash));
  return equal.find(({ expires }) => expires > now);
}

/** What changes whenever the file does. */
function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : '';
}
