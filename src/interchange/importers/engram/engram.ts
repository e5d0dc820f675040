import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PrecedentError } from '../../../domain/error.ts';
import type { Importer } from '../importer.ts';
import { openEngram } from './open.ts';
import { factsOf } from './read.ts';

/** Hoofy: a database, or what `mem_export` writes. */
export const hoofy: Importer = {
  name: 'hoofy',
  what: 'the database or the export of Hoofy',
  places: ({ home }) => [join(home, '.hoofy', 'memory.db')],
  read: (path) => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      throw new PrecedentError(
        'not_found',
        `Expected the database or the export of Hoofy, found a folder at ${path}.`,
      );
    }
    return factsOf('hoofy', openEngram(path, 'hoofy'));
  },
};

/** engram 1.x and 2.x: a database, an export, or what machines share in `.engram` of a repository. */
export const engram: Importer = {
  name: 'engram',
  what: 'the database, the export or the shared chunks of engram',
  places: ({ home, env, folder }) => [
    join(env.ENGRAM_DATA_DIR ?? join(home, '.engram'), 'engram.db'),
    join(folder, '.engram', 'chunks'),
  ],
  read: (path) => factsOf('engram', openEngram(path.replace(/[/\\]chunks[/\\]?$/, ''), 'engram')),
};
