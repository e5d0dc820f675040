import type { Facts } from '../../domain/arrival/facts.ts';

/** What SQLite hands out for bytes that are no UTF-8: a tool cut a text in the middle of a character. */
const BROKEN = '\ufffd';

/** Says of which records texts were cut in the middle of a character. */
export function warnBroken({ decisions, observations, checkpoints, warnings }: Facts): void {
  const texts = [
    ...decisions.map(({ topic, text, reasoning }) => [topic, text, reasoning]),
    ...observations.map(({ title, content }) => [title || (content.split('\n')[0] ?? ''), title, content]),
    ...checkpoints.map(({ key, summary, nextSteps }) => [key, summary, nextSteps]),
  ];
  for (const [name, ...told] of texts) {
    if (told.some((text) => text?.includes(BROKEN)))
      warnings.push(`"${name}": bytes that are no UTF-8 became U+FFFD`);
  }
}
