import { existsSync } from 'node:fs';
import { type Facts, isEmpty } from '../domain/arrival/facts.ts';
import { PrecedentError } from '../domain/error.ts';
import type { Machine, Reading } from '../interchange/importers/importer.ts';
import { IMPORTERS, importerNamed } from '../interchange/importers/importers.ts';

/** A memory of another tool that lies on this machine. */
export interface FoundSource {
  source: string;
  what: string;
  path: string;
  /** How much is in it; undefined where it cannot be read. */
  holds?: Record<'decisions' | 'observations' | 'checkpoints' | 'relations', number>;
  /** Why it cannot be read. */
  problem?: string;
}

/**
 * Reads what another tool remembers, and changes nothing there (I-4).
 * @param source the name of an importer
 * @param path default: the first of its usual places in which there is something
 * @throws PrecedentError `invalid` for a source that nobody reads, or a file of another format; `not_found`
 */
export function readSource(
  source: string,
  path: string | undefined,
  machine: Machine,
  asked: Omit<Reading, 'home'>,
): Facts {
  const importer = importerNamed(source);
  const reading = { ...asked, home: machine.home };
  if (reading.scope !== undefined && !importer.hasScopes) {
    const able = IMPORTERS.filter(({ hasScopes }) => hasScopes).map(({ name }) => `--from ${name}`);
    throw new PrecedentError(
      'invalid',
      `Expected --scope with ${able.join(' or ')} alone, found it with --from ${source}, which comes whole.`,
    );
  }
  const there = path === undefined ? importer.places(machine).filter((place) => existsSync(place)) : [path];
  if (importer.readAll && there.length > 0)
    return withNothingSaid(importer.readAll([...new Set(there)], reading), there);
  const [found] = there;
  if (found === undefined) {
    throw new PrecedentError(
      'not_found',
      `Expected ${importer.what}, found none where it usually lies. Name its file or folder behind "${source}".`,
    );
  }
  return withNothingSaid(importer.read(found, reading), [found]);
}

/** Nobody should have to guess whether a source is empty or was looked for in the wrong place. */
function withNothingSaid(facts: Facts, paths: string[]): Facts {
  if (!isEmpty(facts)) return facts;
  const nothing = `There is nothing to take in at ${paths.join(' and ')}.`;
  return { ...facts, warnings: [nothing, ...facts.warnings] };
}

/** What this machine has that could come here, and how much of it; nothing is taken in. */
export function sourcesHere(machine: Machine): FoundSource[] {
  return IMPORTERS.flatMap((importer) =>
    [...new Set(importer.places(machine))]
      .filter((path) => existsSync(path))
      .map((path) => ({
        source: importer.name,
        what: importer.what,
        path,
        ...holdsOf(() => importer.read(path, { home: machine.home })),
      })),
  ).filter(({ holds }) => holds === undefined || Object.values(holds).some((count) => count > 0));
}

function holdsOf(read: () => Facts): Pick<FoundSource, 'holds' | 'problem'> {
  try {
    const { decisions, observations, checkpoints, relations } = read();
    return {
      holds: {
        decisions: decisions.length,
        observations: observations.length,
        checkpoints: checkpoints.length,
        relations: relations.length,
      },
    };
  } catch (error) {
    return { problem: error instanceof PrecedentError ? error.message : 'It cannot be read.' };
  }
}
