import { reminders } from '../../domain/anchor.ts';
import type { Relationship } from '../../domain/edge.ts';
import { importedText, shownAttributes } from '../results/decision.ts';
import type { DecisionBranch } from '../results/decision-links.ts';
import { dayOf } from '../results/fields.ts';
import { decisionLine } from '../results/named-decision.ts';
import { viewVersion } from '../results/version.ts';
import type { WholeDecision } from '../results/whole-decision.ts';
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

type Links = WholeDecision['edges']['outgoing'];

/** Shows what is decided and why; what failed before; the versions; what it depends on and what depends on it; what is around it. */
export function viewDecision(whole: WholeDecision, outdated: View): View {
  const { decision, earlier_failure, failed_basis = [], hints, edges, context } = whole;
  return [
    ...(decision.decided_twice ? [line(warn(`! decided twice: ${decision.decided_twice}`))] : []),
    line(strong(decision.topic ?? '(no topic)'), dim(`  ${shownAttributes(decision)}`)),
    ...importedText(decision).map((each) => indented(warn(each))),
    ...(earlier_failure ? [indented(warn(`! failed before: ${earlier_failure}`))] : []),
    ...failed_basis.map((basis) => indented(warn(`! builds on what failed: ${basis}`))),
    ...outdated,
    ...(hints ? [indented(dim('hints: '), hints.join(' · '))] : []),
    ...viewVersions(whole),
    ...viewLinks('depends on', edges.outgoing, FORWARD),
    ...viewLinks('depend on it', edges.incoming, BACKWARD),
    ...(context
      ? [tree({ label: [dim(`around it: ${context.total - 1}`)], children: context.children.map(branchOf) })]
      : []),
  ];
}

function branchOf({ relationship, direction, decision, children }: DecisionBranch): Branch {
  const verb = (direction === 'outgoing' ? FORWARD : BACKWARD)[relationship];
  return { label: [good(`${verb} `), ...decisionLine(decision)], children: children.map(branchOf) };
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

function viewLinks(title: string, links: Links, words: Record<Relationship, string>) {
  if (links.length === 0) return [];
  const lines = links.map(({ relationship, decision, version }) =>
    indented(dim(`v${version} ${words[relationship]} `), ...decisionLine(decision)),
  );
  return [line(strong(title)), ...lines];
}

/** The versions of a decision, the one that was asked for first, then the newest, each with its grounds and anchors. */
function viewVersions({ decision, versions, evidence, anchors, refs }: WholeDecision): View {
  const inOrder = [
    ...versions.filter(({ version }) => version === decision.version),
    ...versions.filter(({ version }) => version !== decision.version),
  ];
  return inOrder.flatMap((each) => [
    ...viewVersion(each),
    ...evidence
      .filter(({ version }) => version === each.version)
      .map(({ id, content, timestamp, observation_id, observation }) => {
        const from =
          observation_id === undefined ? '' : ` · from #${observation_id} ${observation ?? '(gone)'}`;
        const facts = `  ${dayOf(timestamp)} · ${refs[id]}${from}`;
        return indented(dim('evidence: '), firstLine(content), dim(facts));
      }),
    ...reminders(anchors)
      .filter(({ version }) => version === each.version)
      .map(({ hint, id }) => indented(dim('anchor: '), hint, dim(`  ${shortId(id)}`))),
    ...(inOrder.length > 1 && each === inOrder[0] ? [line(strong('other versions'))] : []),
  ]);
}
