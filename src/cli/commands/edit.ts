import { invalid } from '../../domain/error.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import { edited, type Section } from '../editor.ts';
import { KEEP_SECRET } from '../input/fields.ts';
import { open, using } from '../open.ts';
import type { Answer } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';

export const edit = defineCommand({
  name: 'edit',
  summary: 'Change a decision, a note or a memo in your editor',
  about:
    'Opens the current text in the editor that VISUAL or EDITOR names, and saves what you change: a decision gets its next version, an observation or a memo another text. What was there before is kept. A text that cannot be saved is kept in a file.',
  examples: ['edit auth:token', 'edit "#1"'],
  arguments: {
    ref: { about: 'an id, the beginning of one, a topic, or #38 for an observation', required: true },
  },
  options: {
    replaces: { about: 'the lock that this overrides', value: 'text' },
    tidy: { about: 'it says the same in better words: author, date, reason and outcome stay' },
    keepSecret: { about: KEEP_SECRET },
  },
  async run({ ref, replaces, tidy = false, keepSecret = false }, place) {
    return using(
      await open(place, { create: 'never' }),
      async (memory) =>
        (await editRecord(memory, ref, { replaces, tidy, keepSecret })) ??
        (await running()).unchanged(memory),
    );
  },
});

/** Lets a person change a record in an editor. @returns undefined when nothing was changed */
export async function editRecord(
  memory: MemoryCore,
  ref: string,
  {
    replaces,
    tidy = false,
    keepSecret = false,
  }: { replaces?: string | undefined; tidy?: boolean; keepSecret?: boolean },
): Promise<Answer | undefined> {
  const { about, sections, operation, id } = await editableAt(memory, ref);
  const isDecision = operation === 'decision_revise';
  const asked = isDecision ? [{ field: TIDY, about: STILL, text: tidy ? 'yes' : 'no' }] : [];
  return edited(about, [...sections, ...asked], async ({ [TIDY]: said, ...fields }) => {
    if (Object.keys(fields).length === 0) return (await running()).unchanged(memory);
    const isTidy = said === undefined ? tidy : /^(y|예|네)/i.test(said);
    const changed = { ...id, ...fields, ...(isDecision && { replaces, ...(isTidy && { tidy: true }) }) };
    return (await running()).answerOf(memory, operation, changed, { keepsSecrets: keepSecret });
  });
}

const TIDY = 'tidy';
const STILL = 'does it still say the same? yes: who decided it, when, why and how it went stay';

/** It knows every command, this one too. */
const running = () => import('../run-operation.ts');

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
  if (kind === 'decision' && decision) return decisionAt(memory, decision.id);
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
      about: [`Memo ${memo.infoId}, as it is now.`],
      sections: [
        { field: 'summary', about: 'one sentence', text: memo.summary ?? '' },
        { field: 'fullText', about: 'what to remember', text: memo.fullText ?? '' },
      ],
      operation: 'memo_edit',
      id: { infoId: memo.infoId },
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
