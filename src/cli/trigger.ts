import { findTrigger } from '../domain/language/trigger.ts';
import { dim, good, line, type View } from '../operations/view.ts';

/** What a message asks the memory for; looks at the words alone and opens nothing (M-1). */
export function examineTrigger(message: string) {
  const found = findTrigger(message);
  const view: View = [
    found ? line(good(found.trigger), dim(`  because of "${found.word}"`)) : line(dim('none')),
  ];
  return { view, report: { trigger: found?.trigger ?? null, word: found?.word ?? null } };
}
