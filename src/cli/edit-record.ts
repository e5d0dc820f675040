import { invalid } from '../domain/error.ts';
import type { MemoryCore } from '../memory/core.ts';
import type { Keeping } from '../memory/receive.ts';
import type { Result } from '../operations/index.ts';
import { answerOf, unchanged } from './answering.ts';
import type { Given } from './command.ts';
import { edited, type Section } from './editor.ts';
import type { Answer } from './output/print.ts';

/** How a person opens a record. */
export interface Opening {
  id: string;
  /** The lock that this overrides. */
  replaces?: string;
  tidy?: boolean;
}

/**
 * Lets a person change a decision, a note or a memo in an editor, beginning with its text as it is (U-6).
 * @throws PrecedentError `invalid` for a record of another kind
 */
export async function editRecord(
  memory: MemoryCore,
  { id: ref, replaces, tidy = false }: Opening,
  how: Keeping,
): Promise<Answer> {
  const { about, sections, operation, id } = await editableAt(memory, ref);
  const isDecision = operation === 'decision_revise';
  const asked = isDecision ? [{ field: TIDY, about: STILL, text: tidy ? 'yes' : 'no' }] : [];
  const save = async ({ [TIDY]: said, ...fields }: Record<string, string>) => {
    if (Object.keys(fields).length === 0) return unchanged(memory);
    const isTidy = said === undefined ? tidy : /^(y|예|네)/i.test(said);
    const changed = { ...id, ...fields, ...(isDecision && { replaces, ...(isTidy && { tidy: true }) }) };
    return answerOf(memory, operation, changed, how);
  };
  return (await edited(about, [...sections, ...asked], save)) ?? unchanged(memory);
}

/** Saves a new text of a note or a memo. @returns undefined for any other record, and for none */
export async function rewritten(
  memory: MemoryCore,
  { id: ref, text }: Given,
  how: Keeping,
): Promise<Answer | undefined> {
  const found = await editableAt(memory, String(ref)).catch(() => undefined);
  if (found === undefined || found.operation === 'decision_revise') return undefined;
  const field = found.sections.at(-1)?.field ?? '';
  return answerOf(memory, found.operation, { ...found.id, [field]: text }, how);
}

const TIDY = 'tidy';
const STILL = 'yes, if only the wording changed: author, date and outcome then stay';

/** What is edited, and the operation that saves it. */
interface Editable {
  about: string[];
  sections: Section[];
  operation: string;
  /** By which that operation knows it. */
  id: Record<string, unknown>;
}

async function editableAt(memory: MemoryCore, ref: string): Promise<Editable> {
  const { kind, decision, observation, memo } = (await memory.call('show', { ref })) as Result<'show'>;
  if (kind === 'decision' && decision) return decisionAt(memory, decision.decision.id);
  if (kind === 'observation' && observation) {
    const { id, title, content } = observation;
    return {
      about: [`Observation #${id}, as it is now.`],
      sections: [
        { field: 'title', about: 'what it is about', text: title },
        { field: 'content', about: 'the knowledge itself', text: content },
      ],
      operation: 'mem_update',
      id: { id },
    };
  }
  if (kind === 'memo' && memo) {
    return {
      about: [`Memo ${memo.info_id}, as it is now.`],
      sections: [
        { field: 'summary', about: 'one sentence', text: memo.summary ?? '' },
        { field: 'fullText', about: 'what to remember', text: memo.full_text ?? '' },
      ],
      operation: 'memo_edit',
      id: { infoId: memo.info_id },
    };
  }
  throw invalid.wrong_kind(
    `Expected a decision, an observation or a memo, found "${ref}", which is a record that never changes (${kind}).`,
  );
}

async function decisionAt(memory: MemoryCore, ref: string): Promise<Editable> {
  const whole = (await memory.call('decision_get', { id: ref })) as Result<'decision_get'>;
  const { id, topic, version, text, reasoning, strength, scope } = whole.decision;
  return {
    about: [`${topic ?? 'A decision without a topic'}, version ${version}, as it is now.`],
    sections: [
      { field: 'text', about: 'what is decided', text },
      { field: 'reasoning', about: 'why; a lock and an axis need a new reason', text: reasoning ?? '' },
      { field: 'strength', about: 'axis, lock or normal', text: strength },
      { field: 'scope', about: 'where it holds', text: scope },
    ],
    operation: 'decision_revise',
    id: { id },
  };
}
