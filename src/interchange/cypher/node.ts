import type { Label, NodeKey } from './statement.ts';

/** The property that identifies the nodes of each label. */
export const KEYS: Record<Label, string> = {
  _Info: 'id',
  Keyword: 'name',
  Session: 'id',
  Writer: 'id',
  Decision: 'id',
  Evidence: 'id',
  Anchor: 'id',
  Outcome: 'id',
  Checkpoint: 'id',
  Observation: 'id',
  Revision: 'id',
};

/** A row of a table, its columns in camel case. */
export type Row = Record<string, string | number | null | undefined>;

/** A node of a label, by what identifies it. */
export function node(label: Label, value: string | number | null | undefined): NodeKey {
  return { label, key: KEYS[label], value: value as string | number };
}

/** An earlier text of an observation. */
export function revision({ observationId, revision }: Row): NodeKey {
  return node('Revision', `${observationId}/${revision}`);
}
