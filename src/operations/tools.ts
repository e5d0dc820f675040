import { invalid } from '../domain/error.ts';
import { offered, type Tool } from './offered.ts';
import { FAMILIES, type Family } from './operation.ts';

/** The word for every tool. */
export const ALL = 'all';
/** The tools that a server offers unless it is asked for others: what work needs every day. */
const EVERYDAY = offered.filter(({ isAsked }) => !isAsked);

/**
 * The tools that a server offers: those of the families that are named, a comma between them; every one for `all`; those
 * of every day without any name.
 * @throws PrecedentError `invalid` for an unknown name
 */
export function toolsOf(names: string | undefined): readonly Tool[] {
  if (names === undefined) return EVERYDAY;
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => name !== ALL && !FAMILIES.includes(name as Family));
  if (unknown.length > 0)
    throw invalid.not_one_of(
      `Expected the tools to be ${ALL} or some of ${FAMILIES.join(', ')}, found ${unknown.map((name) => JSON.stringify(name)).join(', ')}.`,
    );
  return offered.filter(({ family }) => wanted.includes(ALL) || wanted.includes(family));
}
