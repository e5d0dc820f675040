import { invalid } from '../../domain/error.ts';
import type { Facts } from '../../domain/import/facts.ts';

/**
 * Other names for the projects of a source (`--project-map`), which often are only those of folders.
 * @param written `old=new,other=new`
 * @throws PrecedentError `invalid` for what is not a list of that form
 */
export function projectMap(written: string): Map<string, string> {
  const pairs = written.split(',').map((each) => each.split('=').map((name) => name.trim()));
  const isMap = pairs.every((pair) => pair.length === 2 && pair.every((name) => name !== ''));
  if (isMap) return new Map(pairs as [string, string][]);
  throw invalid.wrong_form(`Expected projects as old=new,other=new, found "${written}".`);
}

/** Files observations under other projects; what a project was called there is kept with them. A name that nothing has is reported. */
export function filedAnew(facts: Facts, projects: Map<string, string>): Facts {
  const there = new Set(facts.observations.flatMap(({ project }) => project ?? []));
  const unknown = [...projects.keys()].filter((name) => !there.has(name));
  const known = there.size > 0 ? [...there].sort().join(', ') : 'none';
  return {
    ...facts,
    observations: facts.observations.map((fact) => {
      const project = fact.project === null ? undefined : projects.get(fact.project);
      return project === undefined
        ? fact
        : { ...fact, project, rest: { ...fact.rest, project: fact.project } };
    }),
    checkpoints: facts.checkpoints.map((fact) => {
      const project = projects.get(String(fact.rest?.project));
      return project === undefined ? fact : { ...fact, rest: { ...fact.rest, filed_under: project } };
    }),
    warnings: [
      ...facts.warnings,
      ...unknown.map(
        (name) => `Nothing is filed under the project "${name}" there; its projects are ${known}.`,
      ),
    ],
  };
}
