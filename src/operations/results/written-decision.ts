import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import type { Annotation } from '../../store/decisions/annotation.ts';
import type { Written } from '../../store/decisions/chain.ts';
import { dim, facts, good, indented, line, shortId, strong, type View, warnings } from '../view.ts';
import { decisionRecord, toDecisionRecord } from './decision.ts';
import { binds, replacedRecord, toBinds, toReplacedRecord, viewBinds } from './replaced.ts';

const referenceLists = z.object({
  supersedes: z.string().nullable(),
  buildsOn: z.array(z.string()),
  debates: z.array(z.string()),
  synthesizes: z.array(z.string()),
});

/** The result of `decision_save` and `decision_revise`. */
export const writtenDecision = z.object({
  decision: decisionRecord,
  unchanged: z.boolean().optional().describe('The active version says the same: no new version was made'),
  binds: binds(),
  replaced: replacedRecord.optional(),
  edges: referenceLists,
  evidence: z.array(z.string()).describe('Ids of the evidence that was added'),
  warnings: z.array(z.string()),
  workspace: z.string(),
});

/** @param scope the scope that was given */
export function toWrittenDecision(written: Written, workspace: string, scope: string | undefined) {
  return {
    decision: toDecisionRecord(written.decision, written.annotation),
    ...(written.unchanged && { unchanged: true }),
    ...toBinds(written.decision, scope),
    ...(written.replaced && { replaced: toReplacedRecord(written.replaced) }),
    edges: toReferenceLists(written.decision, written.annotation),
    evidence: written.evidence.map((evidence) => evidence.id),
    warnings: written.warnings,
    workspace,
  };
}

function toReferenceLists(decision: Decision, { references }: Annotation): z.infer<typeof referenceLists> {
  return {
    supersedes: decision.previousVersionId,
    buildsOn: references.builds_on,
    debates: references.debates,
    synthesizes: references.synthesizes,
  };
}

export function viewWrittenDecision(result: z.infer<typeof writtenDecision>): View {
  const { decision } = result;
  return [
    line(
      good(result.unchanged ? '= unchanged' : decision.withdrawn ? '✔ withdrawn' : '✔ saved'),
      ' ',
      strong(decision.topic ?? '(no topic)'),
      dim(
        `  ${decision.strength} · ${decision.scope} · v${decision.version} · workspace ${result.workspace}`,
      ),
    ),
    indented(decision.text),
    facts(shortId(decision.id)),
    ...viewBinds(result.binds),
    ...(result.unchanged && decision.outcomeWarning ? warnings([decision.outcomeWarning]) : []),
  ];
}
