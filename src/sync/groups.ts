import { foldName } from '../domain/text/text.ts';
import { type Based, basesOf } from '../store/decisions/fork.ts';
import type { Fact, Facts } from './facts.ts';

/**
 * Which versions belong to one chain: by what their authors saw, and by the names that everybody heard. What only this machine
 * knows, a name of before or one that leads elsewhere, joins nothing.
 * @param news versions that have no place yet @param called new names of chains
 */
export function groupsOf(
  rows: (Pick<Based, 'id' | 'basedOn'> & { rootId: string; topic: string | null })[],
  news: ReadonlyMap<string, unknown>,
  called: Fact<'called'>[],
  theirs: Facts,
): Groups {
  const groups = new Groups();
  const here = new Set(rows.map(({ id }) => id));
  const join = (id: string, topic: string | null) => {
    if (topic !== null && here.has(id)) groups.join(id, `topic ${foldName(topic)}`);
  };
  for (const { id, topic } of [...rows, ...called]) join(id, topic);
  for (const fact of theirs.values()) if (fact.k === 'decision') join(fact.id, fact.topic);
  for (const row of rows) {
    groups.join(row.id, row.rootId);
    for (const base of news.has(row.id) ? basesOf(row) : []) if (here.has(base)) groups.join(row.id, base);
  }
  return groups;
}

/** Which names mean the same. */
class Groups {
  readonly #parents = new Map<string, string>();

  of(name: string): string {
    let at = name;
    for (let up = this.#parents.get(at); up !== undefined; up = this.#parents.get(at)) at = up;
    if (at !== name) this.#parents.set(name, at);
    return at;
  }

  join(one: string, other: string): void {
    const [a, b] = [this.of(one), this.of(other)];
    if (a !== b) this.#parents.set(a, b);
  }
}
