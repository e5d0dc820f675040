import { isAbsolute, relative, resolve } from 'node:path';
import { invalid, notFound, PrecedentError } from '../domain/error.ts';
import { begun, cleanFacts } from '../domain/import/clean.ts';
import { type AnyFact, byFactKind, type FactKind, type Facts, isEmpty } from '../domain/import/facts.ts';
import { type Plan, planOf } from '../domain/import/plan.ts';
import { isInside } from '../files/bounded.ts';
import { requireNotLedOut } from '../files/led-out.ts';
import { statHere } from '../files/machines.ts';
import type { Importer, Machine, Reading } from '../interchange/importers/importer.ts';
import { IMPORTERS, importerNamed } from '../interchange/importers/importers.ts';

export { recordsOfChange } from '../interchange/importers/adr/of-change.ts';

/** A memory of another tool on this machine. */
export interface FoundSource {
  source: string;
  what: string;
  path: string;
  /** How much is in it; undefined where it cannot be read. */
  holds?: Record<FactKind, number>;
  /** The first names of each kind. */
  examples?: Record<FactKind, string[]>;
  /** The result for each file, where it is a source of files. */
  plan?: Plan;
  /** Why it cannot be read. */
  problem?: string;
}

/** Names that a kind is shown by. */
const EXAMPLES = 3;
/** Characters of such a name. */
const LONGEST_TITLE = 72;

/** Options of an import, for a person. */
export type Asked = Omit<Reading, 'home'>;

/**
 * Reads what another tool remembers, and changes nothing there (I-4).
 * @param source the name of an importer
 * @param path default: the first of its usual places in which there is something
 * @throws PrecedentError `invalid` for a source that nobody reads, or a file of another format; `not_found`
 */
export function readSource(source: string, path: string | undefined, machine: Machine, asked: Asked): Facts {
  const importer = importerNamed(source);
  const reading = { ...asked, home: machine.home };
  if (reading.scope !== undefined && !importer.hasScopes)
    throw invalid.not_applicable(
      `Expected --scope with ${IMPORTERS.filter(({ hasScopes }) => hasScopes)
        .map(({ name }) => `--from ${name}`)
        .join(' or ')} alone, found it with --from ${source}, which comes whole.`,
    );
  const there = path === undefined ? importer.places(machine).filter((place) => statHere(place)) : [path];
  for (const each of there) requireHere(each, machine);
  if (importer.readAll && there.length > 0)
    return withNothingSaid(importer.readAll([...new Set(there)], reading), there);
  const [found] = there;
  if (found === undefined)
    throw notFound.no_file(
      `Expected ${importer.what}, found none in the usual place. Name its file or folder after "${importer.name}".`,
    );
  return withNothingSaid(importer.read(found, reading), [found]);
}

/**
 * A path that was named, or a usual place in the working folder, which may be untrusted: no link there leads elsewhere
 * (Z-4).
 * @throws PrecedentError `invalid`
 */
function requireHere(path: string, { folder, home }: Machine): void {
  const isBelow = isAbsolute(path) && folder !== home && isInside(path, folder);
  requireNotLedOut(isBelow ? relative(folder, path) : path, folder);
}

/** Nobody should have to guess whether a source is empty or was looked for in the wrong place. */
function withNothingSaid(facts: Facts, paths: string[]): Facts {
  if (!isEmpty(facts)) return facts;
  const nothing = `There is nothing to import at ${paths.map((each) => resolve(each)).join(' and ')}.`;
  return { ...facts, warnings: [nothing, ...facts.warnings] };
}

/**
 * Sources on this machine, and their size; nothing is taken in. Places in the working folder that belong together are one; a
 * folder without decisions is looked through, so that each of its documents is named.
 */
export function sourcesHere(machine: Machine): FoundSource[] {
  const { folder, home } = machine;
  return IMPORTERS.flatMap((importer) => {
    const there = [...new Set(importer.places(machine))].filter((path) => statHere(path));
    const isOne = (path: string) => importer.readAll !== undefined && isInside(path, folder);
    const together = there.filter(isOne);
    if (importer.looksThrough && together.length === 0 && folder !== home) together.push(folder);
    const apart = there.filter((path) => !isOne(path)).map((path) => foundAt(importer, path, machine));
    const [first = folder, ...others] = together;
    const whole = others.length > 0 ? folder : first;
    const here = together.length > 0 ? [foundAt(importer, whole, machine, together)] : [];
    return [...here, ...apart].filter((each) => isWorthwhile(each) || (each.plan?.rows.length ?? 0) > 0);
  });
}

/**
 * The tools that wrote a file or a folder, recognised by what is in it (I-1); nothing is taken in.
 * @throws PrecedentError `not_found` where there is none; `invalid` where nobody reads it
 */
export function sourcesAt(path: string, machine: Machine): FoundSource[] {
  const found = statHere(path);
  if (!found) throw notFound.no_file(`Expected a file or a folder of another tool, found none at ${path}.`);
  requireHere(path, machine);
  // Any folder of texts can be read as notes: those are recognised by what marks them.
  const able = IMPORTERS.filter(({ isOurs }) => !isOurs || (found.isDirectory() && isOurs(path)))
    .map((importer) => foundAt(importer, resolve(path), machine))
    .filter((each) => each.holds && isWorthwhile(each));
  if (able.length > 0) return able;
  const names = IMPORTERS.map(({ name }) => name).join(', ');
  throw invalid.wrong_content(
    `Expected data of one of ${names}, found nothing at ${path} that tells which tool wrote it. Name the tool: --from TOOL reads any folder of notes.`,
  );
}

const isWorthwhile = ({ holds }: FoundSource) =>
  holds === undefined || Object.values(holds).some((count) => count > 0);

/** @param all the paths to read, where they are several */
function foundAt(
  { name, what, read, readAll }: Importer,
  path: string,
  machine: Machine,
  all = [path],
): FoundSource {
  const looked = () => {
    for (const each of all) requireHere(each, machine);
    return readAll ? readAll(all, { home: machine.home }) : read(path, { home: machine.home });
  };
  return { source: name, what, path, ...holdsOf(looked) };
}

/** The name of a fact, in a line. */
function nameOf(fact: AnyFact): string {
  const named = ['text', 'title', 'summary', 'key'].map((name) => Reflect.get(fact, name) as unknown);
  const [name = ''] = named.filter((each) => typeof each === 'string' && each !== '') as string[];
  return begun(name.split('\n')[0] ?? '', LONGEST_TITLE);
}

function holdsOf(read: () => Facts): Pick<FoundSource, 'holds' | 'examples' | 'plan' | 'problem'> {
  try {
    const facts = cleanFacts(read());
    return {
      holds: byFactKind((kind) => facts[kind].length),
      examples: byFactKind((kind) => facts[kind].slice(0, EXAMPLES).map(nameOf)),
      ...(facts.read && { plan: planOf(facts, true) }),
    };
  } catch (error) {
    return { problem: error instanceof PrecedentError ? error.message : 'It cannot be read.' };
  }
}
