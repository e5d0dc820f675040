import type { Relationship } from '../../domain/edge.ts';
import { quotedFailure, shownReason } from '../../domain/outcome.ts';
import {
  type Branch,
  bad,
  date,
  dim,
  good,
  indented,
  line,
  type Span,
  shortId,
  strong,
  tree,
  type View,
  warn,
} from '../view.ts';
import { shownAttributes } from './decision.ts';
import type { DecisionBranch, DecisionLink } from './decision-links.ts';
import type { WholeDecision } from './whole-decision.ts';
import { shownAuthor } from './writer.ts';

type Version = WholeDecision['versions'][number];

/** A whole decision as a person sees it: its chain as a tree, the newest version first, then the decisions around it. */
export function viewWholeDecision(result: WholeDecision): View {
  const { decision, versions, context } = result;
  const of = `v${decision.version} of ${versions.length}`;
  return [
    line(
      strong(decision.topic ?? '(no topic)'),
      '  ',
      ...state(decision),
      dim(`  ${of} · ${shownAttributes(decision)}`),
    ),
    indented(decision.text),
    ...(decision.reasoning ? [indented(dim('why: '), decision.reasoning)] : []),
    ...(decision.failedBasis ?? []).map((basis) =>
      indented(warn(`! builds on a failed decision: ${quotedFailure(basis)}`)),
    ),
    tree({
      label: [dim(`chain ${shortId(decision.rootId)}`)],
      children: versions.toReversed().map((version) => versionBranch(result, version)),
    }),
    ...(context
      ? [
          tree({
            label: [dim(`around it: ${context.total - 1}`)],
            children: context.children.map(contextBranch),
          }),
        ]
      : []),
  ];
}

/** A version with its outcomes, links, evidence and anchors. */
function versionBranch(result: WholeDecision, version: Version): Branch {
  const own = <T extends { version: number }>(items: T[]) =>
    items.filter((item) => item.version === version.version);
  return {
    label: [
      strong(`v${version.version}`),
      ' ',
      version.text,
      ' ',
      ...state(version),
      dim('  '),
      date(version.createdAt),
      dim(by(version)),
    ],
    children: [
      ...(version.why && !version.outcomeWarning ? [leaf(dim('why: '), version.why)] : []),
      ...outcomeLeaves(version, own(result.outcomes)),
      ...linkLeaves(result, version),
      ...own(result.evidence).map((item) =>
        leaf('evidence ', firstLine(item.content), dim(`  ${shortId(item.id)}`)),
      ),
      ...own(result.anchors).map((item) => leaf('anchor ', item.hint, dim(`  ${shortId(item.id)}`))),
    ],
  };
}

/** Who wrote a version, and its id. */
function by({ author, id }: Version): string {
  return ['', author && shownAuthor(author), shortId(id)].filter((part) => part !== undefined).join(' · ');
}

function state({
  isActive,
  withdrawn,
  mistaken,
  outcome,
}: Pick<Version, 'isActive' | 'withdrawn' | 'mistaken' | 'outcome'>): Span[] {
  if (mistaken) return [warn('taken back')];
  const stands = isActive ? good('stands') : withdrawn ? warn('withdrawn') : dim('superseded');
  return [stands, outcome === 'failed' ? bad(', failed') : ''];
}

/** The outcomes of a version with their whole reasons, the one that counts first. */
function outcomeLeaves({ outcomeWarning }: Version, outcomes: WholeDecision['outcomes']): Branch[] {
  const counts = outcomes.findLast(({ retracted }) => !retracted);
  return outcomes.toReversed().map((each) => {
    const back = each.retracted ? ' (taken back)' : '';
    const said = `outcome: ${each.outcome}${back} — ${shownReason(each.reason)}`;
    return leaf(outcomeWarning && each === counts ? bad(`⚠️ ${said}`) : dim(said));
  });
}

/** The links of a version; that it supersedes the version before needs no line. */
function linkLeaves({ edges, versions }: WholeDecision, { version }: Version): Branch[] {
  const chain = new Set(versions.map(({ id }) => id));
  const outgoing = edges.outgoing.filter(
    (link) => link.relationship !== 'supersedes' || !chain.has(link.decision.id),
  );
  const incoming = edges.incoming.filter((link) => !chain.has(link.decision.id));
  const isOwn = (link: DecisionLink) => link.version === version;
  return [
    ...outgoing.filter(isOwn).map((link) => leaf(`${link.relationship} `, ...otherEnd(link))),
    ...incoming.filter(isOwn).map((link) => leaf(`${INCOMING[link.relationship]} `, ...otherEnd(link))),
  ];
}

function contextBranch({ relationship, direction, decision, children }: DecisionBranch): Branch {
  const verb = direction === 'outgoing' ? relationship : INCOMING[relationship];
  return { label: [good(`${verb} `), ...otherEnd({ decision })], children: children.map(contextBranch) };
}

/** How a link reads from the decision at which it ends. */
const INCOMING: Record<Relationship, string> = {
  supersedes: 'superseded by',
  builds_on: 'is built on by',
  debates: 'is debated by',
  synthesizes: 'is synthesized by',
};

function otherEnd({ decision }: Pick<DecisionLink, 'decision'>): Span[] {
  return [
    strong(decision.topic ?? '(no topic)'),
    ` ${decision.text}`,
    ...(decision.outcomeWarning ? [' ', bad(decision.outcomeWarning)] : []),
    dim(`  ${shortId(decision.id)}`),
  ];
}

function leaf(...label: Span[]): Branch {
  return { label, children: [] };
}

function firstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return rest.length > 0 ? `${first} …` : first;
}
