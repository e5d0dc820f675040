import { ANCHOR_TYPES } from '../../domain/anchor.ts';
import { byField, FIELDS, type Field, type Held } from '../../domain/decision.ts';
import { RELATIONSHIPS } from '../../domain/edge.ts';
import { OUTCOMES } from '../../domain/outcome.ts';
import { foldName, LIMITS } from '../../domain/text/text.ts';
import { excerptOf } from '../../domain/text/visible.ts';
import type { Broken, Row, TableRules } from './value.ts';
import {
  amount,
  count,
  day,
  flag,
  id,
  ids,
  key,
  listOf,
  name,
  number,
  oneOf,
  optional,
  places,
  type Rule,
  time,
  words,
} from './value.ts';

export const decisions: TableRules<'decisions'> = {
  columns: {
    seq: number,
    id,
    rootId: id,
    version: count(1),
    previousVersion: optional(count(1)),
    previousVersionId: optional(id),
    topic: optional(name(LIMITS.topic)),
    ...byField<Record<Field, Rule>>(ruleOf),
    basedOn: optional(ids),
    isActive: flag,
    withdrawn: flag,
    outcome: optional(oneOf(OUTCOMES)),
    outcomeReason: optional(words(LIMITS.outcomeReason)),
    createdAt: time,
    updatedAt: time,
  },
  called: (row) => `decision ${row.id}`,
  row: versionProblem,
  unique: {
    id: ({ id }) => id,
    root: ({ id, version }) => (version === 1 ? id : null),
    version: ({ rootId, version }) => `${rootId} ${version}`,
    previous: ({ rootId, version, id }) => `${rootId} ${version} ${id}`,
    topic: ({ version, topic }) => (version === 1 ? topic : null),
    'active version': ({ rootId, isActive }) => (isActive ? rootId : null),
  },
  refers: {
    seq: 'records.seq',
    rootId: 'decisions.id',
    previousVersionId: [
      'decisions.previous',
      ({ rootId, previousVersion, previousVersionId }) =>
        previousVersionId === null ? null : `${rootId} ${previousVersion} ${previousVersionId}`,
    ],
  },
};

/** What a field of a decision may hold (B-1). */
function ruleOf(field: Field): Rule {
  const of = FIELDS[field];
  return of.first === null ? optional(held(of)) : held(of);
}

function held(of: Held): Rule {
  switch (of.kind) {
    case 'words':
      return words(of.limit);
    case 'name':
      return name(of.limit);
    case 'choice':
      return oneOf(of.of);
    case 'number':
      return amount(of.least, of.most);
    case 'day':
      return day;
    case 'places':
      return places;
  }
}

/** A version by itself: its number, the one before it, and whether it may stand (D-2, D-4, D-15). */
function versionProblem(row: Row): Broken | undefined {
  const { id, rootId, version, previousVersion, previousVersionId, isActive, withdrawn } = row;
  const isFirst = version === 1;
  if (isFirst !== (rootId === id)) {
    const expected = isFirst ? 'version 1 to be the root of its chain' : 'version 1 as the root of a chain';
    return { expected, found: `version ${version} with the root ${rootId}` };
  }
  if (
    previousVersion !== (isFirst ? null : Number(version) - 1) ||
    (previousVersionId === null) !== isFirst
  ) {
    const expected = isFirst
      ? 'no version before version 1'
      : `version ${Number(version) - 1} before version ${version}`;
    return {
      expected,
      found: `version ${previousVersion ?? 'none'} with the id ${previousVersionId ?? 'none'}`,
    };
  }
  if (withdrawn === 1 && (isActive === 1 || isFirst)) {
    const found = isFirst ? 'version 1' : 'one that is active';
    return { expected: 'a version that withdraws to be a later one that is not active', found };
  }
  return undefined;
}

/** A name has the folded key, or none where an earlier one has it (D-19). */
function nameProblem({ name, key }: Row): Broken | undefined {
  const expected = foldName(String(name));
  return key === null || key === expected
    ? undefined
    : { expected: `the key "${excerptOf(expected, 60)}", or none`, found: 'another' };
}

export const topics: TableRules<'topics'> = {
  columns: { name: name(LIMITS.topic), key: optional(key), rootId: id, since: time },
  called: ({ name }) => `the topic "${name}"`,
  row: nameProblem,
  unique: { name: ({ name }) => name, key: ({ key }) => key },
  refers: { rootId: 'decisions.root' },
};

export const scopes: TableRules<'scopes'> = {
  columns: { name: name(LIMITS.scope), key: optional(key), scope: name(LIMITS.scope), since: time },
  called: ({ name }) => `the scope "${name}"`,
  row: nameProblem,
  unique: { name: ({ name }) => name, key: ({ key }) => key },
};

export const decisionEdges: TableRules<'decisionEdges'> = {
  columns: { fromId: id, toId: id, relationship: oneOf(RELATIONSHIPS), createdAt: time },
  called: ({ fromId, relationship }) => `the link "${relationship}" of decision ${fromId}`,
  row: ({ fromId, toId }) =>
    fromId === toId ? { expected: 'a link to another decision', found: 'one to itself' } : undefined,
  refers: { fromId: 'decisions.id', toId: 'decisions.id' },
};

export const outcomes: TableRules<'outcomes'> = {
  columns: {
    seq: number,
    decisionId: id,
    outcome: oneOf(OUTCOMES),
    reason: optional(words(LIMITS.outcomeReason)),
    createdAt: time,
  },
  called: ({ decisionId }) => `an outcome of decision ${decisionId}`,
  refers: { seq: 'records.seq', decisionId: 'decisions.id' },
};

export const evidence: TableRules<'evidence'> = {
  columns: {
    seq: number,
    id,
    decisionRef: id,
    content: words(LIMITS.evidence),
    timestamp: time,
    observationId: optional(number),
  },
  called: (row) => `evidence ${row.id}`,
  unique: { id: ({ id }) => id },
  refers: { seq: 'records.seq', decisionRef: 'decisions.id' },
};

export const anchors: TableRules<'anchors'> = {
  columns: {
    seq: number,
    id,
    hint: words(LIMITS.hint),
    type: oneOf(ANCHOR_TYPES),
    decisionRef: optional(id),
    evidenceRef: optional(id),
    createdAt: time,
  },
  called: (row) => `anchor ${row.id}`,
  row: ({ type, decisionRef, evidenceRef }) => {
    const [wanted, other] =
      type === 'decision_link' ? [decisionRef, evidenceRef] : [evidenceRef, decisionRef];
    if (wanted !== null && other === null) return undefined;
    const found = wanted === null ? 'none of it' : 'another one too';
    return { expected: `one target of the type ${type}`, found };
  },
  unique: { id: ({ id }) => id },
  refers: { seq: 'records.seq', decisionRef: 'decisions.id', evidenceRef: 'evidence.id' },
};

export const checkpoints: TableRules<'checkpoints'> = {
  columns: {
    seq: number,
    id,
    summary: words(LIMITS.summary),
    nextSteps: optional(words(LIMITS.nextSteps)),
    openFiles: listOf(LIMITS.openFile, LIMITS.openFiles),
    createdAt: time,
  },
  called: (row) => `checkpoint ${row.id}`,
  unique: { id: ({ id }) => id },
  refers: { seq: 'records.seq' },
};
