// Only types are imported: no server code is in the page.
import type { Input, Named, Result } from '../../operations/index.ts';

export type { Input, Named as Operations, Result } from '../../operations/index.ts';

/** The operations that can be asked about the past. */
export type Dated = {
  [Name in keyof Named]: keyof Input<Name> & ('asOf' | 'as_of') extends never ? never : Name;
}[keyof Named];

/** The field in which they take the date: {@link Operation} says which names are in snake case. */
export const asOfField = (name: Dated) => (/^(?:decision_|memo_|keyword)/.test(name) ? 'asOf' : 'as_of');

export type Decision = Result<'decision_list'>['decisions'][number];
export type Shown = NonNullable<Result<'show'>['decision']>;
export type Version = Shown['versions'][number];
export type Link = Shown['edges']['outgoing'][number];
export type Graph = Result<'decision_graph'>;
export type GraphNode = Graph['nodes'][number];
export type Outcome = Version['outcomes'][number]['outcome'];
export type Logged = Result<'timeline'>['entries'][number];
export type WaitingGroup = Result<'review'>['groups'][number];
export type WaitingItem = WaitingGroup['items'][number];
export type Found = Result<'search'>['results'][number];
