import { ANCHOR_TYPES } from '../../domain/anchor.ts';
import { byField, FIELDS, type Field, type Held } from '../../domain/decision.ts';
import { RELATIONSHIPS } from '../../domain/edge.ts';
import { OUTCOMES } from '../../domain/outcome.ts';
import { foldName, LIMITS } from '../../domain/text/text.ts';
import { excerptOf } from '../../domain/text/visible.ts';
import type { Broken, Row, Rule, TableRules } from './value.ts';
import * as is from './value.ts';

export const decisions: TableRules<'decisions'> = {
  columns: {
    seq: is.number,
    id: is.id,
    rootId: is.id,
    version: is.count(1),
    previousVersion: is.optional(is.count(1)),
    previousVersionId: is.optional(is.id),
    topic: is.optional(is.name(LIMITS.topic)),
    ...byField<Record<Field, Rule>>(ruleOf),
    basedOn: is.optional(is.ids),
    isActive: is.flag,
    withdrawn: is.flag,
    outcome: is.optional(is.oneOf(OUTCOMES)),
    outcomeReason: is.optional(is.words(LIMITS.outcomeReason)),
    createdAt: is.time,
    updatedAt: is.time,
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
  return of.first === null ? is.optional(held(of)) : held(of);
}

function held(of: Held): Rule {
  switch (of.kind) {
    case 'words':
      return is.words(of.limit);
    case 'name':
      return is.name(of.limit);
    case 'choice':
      return is.oneOf(of.of);
    case 'number':
      return is.amount(of.least, of.most);
    case 'day':
      return is.day;
    case 'places':
      return is.places;
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
  columns: { name: is.name(LIMITS.topic), key: is.optional(is.key), rootId: is.id, since: is.time },
  called: ({ name }) => `the topic "${name}"`,
  row: nameProblem,
  unique: { name: ({ name }) => name, key: ({ key }) => key },
  refers: { rootId: 'decisions.root' },
};

export const scopes: TableRules<'scopes'> = {
  columns: {
    name: is.name(LIMITS.scope),
    key: is.optional(is.key),
    scope: is.name(LIMITS.scope),
    since: is.time,
  },
  called: ({ name }) => `the scope "${name}"`,
  row: nameProblem,
  unique: { name: ({ name }) => name, key: ({ key }) => key },
};

export const decisionEdges: TableRules<'decisionEdges'> = {
  columns: { fromId: is.id, toId: is.id, relationship: is.oneOf(RELATIONSHIPS), createdAt: is.time },
  called: ({ fromId, relationship }) => `the link "${relationship}" of decision ${fromId}`,
  row: ({ fromId, toId }) =>
    fromId === toId ? { expected: 'a link to another decision', found: 'one to itself' } : undefined,
  refers: { fromId: 'decisions.id', toId: 'decisions.id' },
};

export const outcomes: TableRules<'outcomes'> = {
  columns: {
    seq: is.number,
    decisionId: is.id,
    outcome: is.oneOf(OUTCOMES),
    reason: is.optional(is.words(LIMITS.outcomeReason)),
    createdAt: is.time,
  },
  called: ({ decisionId }) => `an outcome of decision ${decisionId}`,
  refers: { seq: 'records.seq', decisionId: 'decisions.id' },
};

export const evidence: TableRules<'evidence'> = {
  columns: {
    seq: is.number,
    id: is.id,
    decisionRef: is.id,
    content: is.words(LIMITS.evidence),
    timestamp: is.time,
    observationId: is.optional(is.number),
  },
  called: (row) => `evidence ${row.id}`,
  unique: { id: ({ id }) => id },
  refers: { seq: 'records.seq', decisionRef: 'decisions.id' },
};

export const anchors: TableRules<'anchors'> = {
  columns: {
    seq: is.number,
    id: is.id,
    hint: is.words(LIMITS.hint),
    type: is.oneOf(ANCHOR_TYPES),
    decisionRef: is.optional(is.id),
    evidenceRef: is.optional(is.id),
    createdAt: is.time,
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
    seq: is.number,
    id: is.id,
    summary: is.words(LIMITS.summary),
    nextSteps: is.optional(is.words(LIMITS.nextSteps)),
    openFiles: is.listOf(LIMITS.openFile, LIMITS.openFiles),
    createdAt: is.time,
  },
  called: (row) => `checkpoint ${row.id}`,
  unique: { id: ({ id }) => id },
  refers: { seq: 'records.seq' },
};
