import { hash, randomBytes } from 'node:crypto';
import type { Grant } from './grant.ts';

/** A token as it is stored: its hash, never the token itself. */
export interface TokenRecord extends Grant {
  /** SHA-256 of the token, hexadecimal: it has 256 random bits, so that a slow hash would protect nothing more. */
  hash: string;
}

/** Tokens begin with it, so that scanners for leaked secrets find them. */
const PREFIX = 'prec_';

/** A new token. */
export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** The hash by which a token is stored and looked up. */
export function hashOf(token: string): string {
  return hash('sha256', token);
}
