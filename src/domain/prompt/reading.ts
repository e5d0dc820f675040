import type { Trigger } from '../language/trigger.ts';
import { askedOfMemory } from './asking.ts';
import { type Deciding, decidingIn } from './deciding.ts';
import { recordableWords } from './keywords.ts';
import { mannerOf } from './manner.ts';
import { COMPLAINTS, namesIn, saidIn, subjectOf, wordsOf } from './prompt.ts';

/** The parts of a prompt by which a memory is asked and from which it learns (A-2, M-11). */
export interface PromptRead {
  /** Its text, without what a person did not write; it goes to no server. */
  said: string;
  /** Its words, with which a memory is searched. */
  words: string[];
  /** The words that say what it is about: without them there is nothing to search for. */
  subject: string[];
  /** Names that it writes out, as `namesIn` finds them: it is about the record that has one (T-10). */
  names: string[];
  /** How it speaks, as `mannerOf` finds it. */
  manner: number;
  /** The request to the memory. */
  trigger: Trigger | undefined;
  /** Whether the person decides something with it (RE-11). */
  deciding: Deciding | undefined;
  /** The words that may become keywords. */
  recordable: string[];
}

export function readPrompt(prompt: string): PromptRead {
  const said = saidIn(prompt);
  const withErrors = saidIn(prompt, COMPLAINTS);
  const { names, rest } = namesIn(withErrors);
  const words = wordsOf(rest);
  return {
    said,
    words,
    subject: subjectOf(words),
    names,
    // "What is this?" before a pasted error asks for what is recorded of it.
    manner: withErrors === said ? mannerOf(said) : 0,
    trigger: askedOfMemory(said),
    deciding: decidingIn(said),
    recordable: recordableWords(said),
  };
}

/** Whether a prompt says nothing that a memory could know: "go on". */
export function isIdle({ subject, names, trigger, deciding, recordable }: PromptRead): boolean {
  return (
    subject.length + names.length + recordable.length === 0 && trigger === undefined && deciding === undefined
  );
}
