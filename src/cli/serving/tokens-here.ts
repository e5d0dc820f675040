import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { invalid, type PrecedentError, unavailable } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import { readTokens, writeTokens } from '../../http/access/token-file.ts';
import type { TokenRecord } from '../../http/access/tokens.ts';
import { givenPath, pathOf } from '../given-path.ts';
import { locked } from '../locked.ts';
import { findDataFolder } from '../settings.ts';

/** Reading and writing the file takes milliseconds. */
const PATIENCE = 10_000;

/** The file of tokens that is meant: as the option or PRECEDENT_TOKENS says, else one in the data folder. */
export async function tokenFileHere(named: string | undefined): Promise<string> {
  const { env } = here();
  if (named !== undefined) return givenPath(named, '--tokens');
  return pathOf(env, 'PRECEDENT_TOKENS') ?? join(await findDataFolder(env), 'tokens.jsonl');
}

/**
 * Changes the file of tokens while nobody else does: of two that are added at once, both are there.
 * @param change what it should hold, given what it holds now; may throw, and nothing is written
 * @throws PrecedentError `unavailable` where it cannot be written, else as {@link readTokens}
 */
export async function changeTokens(
  path: string,
  change: (all: TokenRecord[]) => TokenRecord[],
): Promise<TokenRecord[]> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refused(path, error);
  }
  const work = () => {
    const tokens = change(readTokens(path));
    try {
      writeTokens(path, tokens);
    } catch (error) {
      throw refused(path, error);
    }
    return tokens;
  };
  return locked(`${path}.lock`, { patience: PATIENCE, refusal: (cause) => refused(path, cause) }, work);
}

function refused(path: string, cause: unknown): PrecedentError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : 'unknown reason';
  const why =
    cause === undefined
      ? 'Another process is changing the tokens. Try again.'
      : `The file of tokens cannot be written (${code}): ${path}`;
  return unavailable[cause === undefined ? 'busy' : 'no_access'](why, { cause });
}

/** How long a token holds that names no time, in days. */
const DAYS = 90;
const DAY = 86_400_000;

/** When a token that is made now ends. @throws PrecedentError `invalid` */
export function expiryOf(given: string | undefined): number {
  const days = given === undefined ? DAYS : Number(given);
  if (Number.isInteger(days) && days > 0 && days <= 3650) return Date.now() + days * DAY;
  throw invalid.out_of_range(`Expected --days to be a number from 1 to 3650, found "${given}".`);
}
