import { PrecedentError } from '../../domain/error.ts';
import type { Place } from '../place.ts';
import type { Home } from '../repository/home.ts';

/** @throws PrecedentError `invalid` for a file that was named: it lies among no other memories */
export function requireHome({ home, db }: Pick<Place, 'home' | 'db'>): Home {
  if (home) return home;
  throw new PrecedentError(
    'invalid',
    `Expected the data folder or the address of a server, found the file ${db}, which is one memory by itself. Leave out --db and PRECEDENT_DB; a file is renamed and removed as files are.`,
  );
}
