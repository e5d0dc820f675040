import * as z from 'zod';
import { reminders } from '../../domain/anchor.ts';
import type { Version } from '../../domain/chain.ts';
import type { Decision } from '../../domain/decision.ts';
import { type Edge, RELATIONSHIPS, type Relationship } from '../../domain/edge.ts';
import { idsOf } from '../../domain/id.ts';
import { quotedEarlier } from '../../domain/language/failures.ts';
import { quotedBasis } from '../../domain/outcome.ts';
import { anchorsOfChains } from '../../store/decisions/anchor.ts';
import { annotateOne } from '../../store/decisions/annotation.ts';
import { findDecisions } from '../../store/decisions/decision.ts';
import { edgesFrom, edgesTo } from '../../store/decisions/edge.ts';
import { evidenceOf } from '../../store/decisions/evidence.ts';
import { loadChain } from '../../store/decisions/loaded.ts';
import { briefsOf } from '../../store/observations/observation.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';
import { outdated, toOutdated, viewOutdated } from '../results/copies.ts';
import { imported, importedText, shownAttributes, toImported, twice } from '../results/decision.ts';
import { contextOf, type DecisionBranch, decisionContext } from '../results/decision-links.ts';
import { dayOf } from '../results/fields.ts';
import { forked, toForked } from '../results/forked.ts';
import {
  anchorRecord,
  evidenceRecord,
  hintsShown,
  toAnchorRecord,
  toEvidenceRecord,
  toHints,
} from '../results/grounds.ts';
import { by, toBy } from '../results/writer.ts';
import {
  type Branch,
  dim,
  firstLine,
  good,
  indented,
  line,
  shortId,
  strong,
  tree,
  type View,
  warn,
} from '../view.ts';
import { briefsOfDecisions, decisionLine, namedDecision } from './named-decision.ts';
import { versionLine, versionLines, viewVersionLine } from './version-line.ts';

const link = z.object({
  relationship: z.enum(RELATIONSHIPS),
  version: z.int().describe('The version of this decision at which the link starts or ends'),
  decision: namedDecision,
});

/** A decision as a person reads it whole (U-2). `version` says to which version a part belongs. */
export const shownDecision = z.object({
  id: z.string(),
  topic: z.string().nullable(),
  asked: z.int().describe('The version that was asked for'),
  versions: z.array(versionLine.extend(forked())).describe('The whole chain, the newest first'),
  decidedTwice: twice(),
  imported: imported(),
  earlierFailure: z.string().optional(),
  failedBasis: z.array(z.string()).optional(),
  outdated: outdated(),
  evidence: z.array(
    evidenceRecord.extend({
      ref: z.string(),
      version: z.int(),
      observation: z.string().optional(),
      ...by(),
    }),
  ),
  anchors: z.array(anchorRecord),
  hints: hintsShown(),
  dependsOn: z.array(link).describe('What its versions build on, debate and synthesize'),
  dependents: z.array(link).describe('What builds on its versions, debates and synthesizes them'),
  context: decisionContext.optional(),
});
type ShownDecision = z.infer<typeof shownDecision>;

/** @param depth how many links away a decision around it may be; undefined for none */
export async function showDecision(tx: Tx, decision: Decision, depth?: number): Promise<ShownDecision> {
  const chain = await loadChain(tx, decision.rootId, 'all');
  const ids = idsOf(chain.versions);
  const versionOf = new Map(chain.versions.map((each) => [each.id, each.version]));
  const evidence = await evidenceOf(tx, ids);
  const refOf = await shortIds(tx, 'evidence', idsOf(evidence));
  const observations = await briefsOf(
    tx,
    evidence.flatMap(({ observationId }) => observationId ?? []),
  );
  const annotation = await annotateOne(tx, decision, { chain });
  const { earlierFailure, failedBasis, names, decidedTwice } = annotation;
  const anchors = await anchorsOfChains(tx, [decision.rootId]);
  const versions = await versionLines(tx, chain.versions);
  const { id, rootId, topic: title, text, isActive, withdrawn } = decision;
  return {
    id: decision.id,
    topic: decision.topic,
    asked: decision.version,
    versions: versions
      .map((each, at) => ({ ...each, ...toForked(chain.versions[at] as Version, chain) }))
      .reverse(),
    ...(decidedTwice && { decidedTwice }),
    ...toImported(annotation),
    ...(earlierFailure && { earlierFailure: quotedEarlier(earlierFailure) }),
    ...(failedBasis.length > 0 && {
      failedBasis: failedBasis.map((basis) => quotedBasis(basis, names.get(basis.id))),
    }),
    ...(isActive && !withdrawn && (await toOutdated(tx, { id, rootId, title, text }))),
    evidence: evidence.map((each) => {
      const from = each.observationId === null ? undefined : observations.get(each.observationId);
      return {
        ...toEvidenceRecord(each),
        ref: refOf(each.id),
        version: versionOf.get(each.decisionRef) as number,
        ...(from && { observation: from.title }),
        ...toBy(each),
      };
    }),
    anchors: anchors.map(toAnchorRecord),
    ...toHints(anchors),
    dependsOn: await linksOf(tx, await edgesFrom(tx, ids), 'toId', versionOf),
    dependents: await linksOf(tx, await edgesTo(tx, ids), 'fromId', versionOf),
    ...(depth !== undefined && { context: await contextOf(tx, decision, depth) }),
  };
}

/** The links to decisions of other chains. @param other the end that is not in this one */
async function linksOf(tx: Tx, edges: Edge[], other: 'fromId' | 'toId', versionOf: Map<string, number>) {
  const outward = edges.filter((edge) => !versionOf.has(edge[other]));
  const decisions = await findDecisions(tx, [...new Set(outward.map((edge) => edge[other]))]);
  const named = new Map((await briefsOfDecisions(tx, decisions)).map((each) => [each.id, each]));
  return outward.map((edge) => ({
    relationship: edge.relationship,
    version: versionOf.get(edge[other === 'toId' ? 'fromId' : 'toId']) as number,
    decision: named.get(edge[other]) as z.infer<typeof namedDecision>,
  }));
}

/** What is decided and why; what failed before; the versions; what it depends on and what depends on it; what is around it. */
export function viewShownDecision(shown: ShownDecision): View {
  const {
    topic,
    asked,
    versions,
    earlierFailure,
    failedBasis = [],
    hints,
    dependsOn,
    dependents,
    context,
  } = shown;
  const version = versions.find((each) => each.version === asked);
  if (!version) return [];
  return [
    ...(shown.decidedTwice ? [line(warn(`! decided twice: ${shown.decidedTwice}`))] : []),
    line(strong(topic ?? '(no topic)'), dim(`  ${shownAttributes(version)}`)),
    ...importedText(shown).map((each) => indented(warn(each))),
    ...(earlierFailure ? [indented(warn(`! failed before: ${earlierFailure}`))] : []),
    ...failedBasis.map((basis) => indented(warn(`! builds on what failed: ${basis}`))),
    ...viewOutdated(shown),
    ...(hints ? [indented(dim('hints: '), hints.join(' · '))] : []),
    ...viewVersions(shown),
    ...viewLinks('depends on', dependsOn, FORWARD),
    ...viewLinks('depend on it', dependents, BACKWARD),
    ...(context
      ? [tree({ label: [dim(`around it: ${context.total - 1}`)], children: context.children.map(branchOf) })]
      : []),
  ];
}

function branchOf({ relationship, direction, decision, children }: DecisionBranch): Branch {
  const { isActive, outcomeWarning, ...brief } = decision;
  const status = isActive ? ('active' as const) : ('superseded' as const);
  const outcome = outcomeWarning === undefined ? null : ('failed' as const);
  const verb = (direction === 'outgoing' ? FORWARD : BACKWARD)[relationship];
  const end = decisionLine({ ...brief, ref: shortId(brief.id), status, outcome });
  return { label: [good(`${verb} `), ...end], children: children.map(branchOf) };
}

const FORWARD: Record<Relationship, string> = {
  supersedes: 'supersedes',
  builds_on: 'builds on',
  debates: 'debates',
  synthesizes: 'synthesizes',
};
const BACKWARD: Record<Relationship, string> = {
  supersedes: 'superseded by',
  builds_on: 'built on by',
  debates: 'debated by',
  synthesizes: 'synthesized by',
};

function viewLinks(title: string, links: z.infer<typeof link>[], words: Record<Relationship, string>) {
  if (links.length === 0) return [];
  const lines = links.map(({ relationship, decision, version }) =>
    indented(dim(`v${version} ${words[relationship]} `), ...decisionLine(decision)),
  );
  return [line(strong(title)), ...lines];
}

/** The versions of a decision, the one that was asked for first, then the newest, each with its grounds and anchors. */
function viewVersions({ asked, versions, evidence, anchors }: ShownDecision): View {
  const inOrder = [
    ...versions.filter(({ version }) => version === asked),
    ...versions.filter(({ version }) => version !== asked),
  ];
  return inOrder.flatMap((each) => [
    ...viewVersionLine(each),
    ...evidence
      .filter(({ version }) => version === each.version)
      .map(({ content, ref, timestamp, observationId, observation }) => {
        const from =
          observationId === undefined ? '' : ` · from #${observationId} ${observation ?? '(gone)'}`;
        return indented(dim('evidence: '), firstLine(content), dim(`  ${dayOf(timestamp)} · ${ref}${from}`));
      }),
    ...reminders(anchors)
      .filter(({ version }) => version === each.version)
      .map(({ hint, id }) => indented(dim('anchor: '), hint, dim(`  ${id.slice(0, SHORT)}`))),
    ...(inOrder.length > 1 && each === inOrder[0] ? [line(strong('other versions'))] : []),
  ]);
}
const SHORT = 8;
