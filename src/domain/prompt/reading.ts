import { findTrigger, type Trigger } from '../language/trigger.ts';
import { recordableWords } from './keywords.ts';
import { saidIn, subjectOf } from './prompt.ts';

/** What a prompt says, as far as a memory is asked and told of it (A-2, M-11). */
export interface PromptRead {
  /** The words that say what it is about. */
  subject: string[];
  /** What it asks of the memory. */
  trigger: Trigger | undefined;
  /** The words that may become keywords. */
  recordable: string[];
}

export function readPrompt(prompt: string): PromptRead {
  const said = saidIn(prompt);
  return {
    subject: subjectOf(said),
    trigger: findTrigger(said)?.trigger,
    recordable: recordableWords(said),
  };
}

/** Whether a prompt says nothing that a memory could know: "go on". */
export function isIdle({ subject, trigger, recordable }: PromptRead): boolean {
  return subject.length === 0 && trigger === undefined && recordable.length === 0;
}
