import { findTrigger, type Trigger } from '../language/trigger.ts';
import { recordableWords } from './keywords.ts';
import { mannerOf } from './manner.ts';
import { saidIn, subjectOf, wordsOf } from './prompt.ts';

/** What a prompt says, as far as a memory is asked for it and learns from it (A-2, M-11). */
export interface PromptRead {
  /** Its words, with which a memory is searched. */
  words: string[];
  /** Those that say what it is about: without them there is nothing to search for. */
  subject: string[];
  /** How it speaks, as `mannerOf` finds it. */
  manner: number;
  /** What it asks of the memory. */
  trigger: Trigger | undefined;
  /** The words that may become keywords. */
  recordable: string[];
}

export function readPrompt(prompt: string): PromptRead {
  const said = saidIn(prompt);
  const words = wordsOf(said);
  return {
    words,
    subject: subjectOf(words),
    manner: mannerOf(said),
    trigger: findTrigger(said)?.trigger,
    recordable: recordableWords(said),
  };
}

/** Whether a prompt says nothing that a memory could know: "go on". */
export function isIdle({ subject, trigger, recordable }: PromptRead): boolean {
  return subject.length === 0 && trigger === undefined && recordable.length === 0;
}
