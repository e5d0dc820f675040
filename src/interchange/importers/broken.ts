import type { Facts } from '../../domain/import/facts.ts';
import { counted } from './values.ts';

/** The replacement of SQLite for bytes that are not UTF-8: a tool cut a text in the middle of a character. */
const BROKEN = '\ufffd';

/** Warnings about records with a broken character, and about those without a date. */
export function warnBroken({ decisions, observations, checkpoints, warnings }: Facts): void {
  const undated = [...decisions, ...observations, ...checkpoints].filter(({ at }) => at === 0).length;
  if (undated > 0)
    warnings.push(`${counted(undated, 'record')} without a date that can be read: dated 1970-01-01`);
  const texts = [
    ...decisions.map(({ topic, text, reasoning }) => [topic, text, reasoning]),
    ...observations.map(({ title, content }) => [title || (content.split('\n')[0] ?? ''), title, content]),
    ...checkpoints.map(({ key, summary, nextSteps }) => [key, summary, nextSteps]),
  ];
  for (const [name, ...stated] of texts) {
    if (stated.some((text) => text?.includes(BROKEN)))
      warnings.push(`"${name}": bytes that are no UTF-8 became U+FFFD`);
  }
}
