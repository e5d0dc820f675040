import { jsonIn } from '../../domain/text/json.ts';
import { sectionsIn } from './markdown.ts';

/** One block of code and nothing else. */
const BLOCK = /^(?<marks>`{3,})(?<kind>text|json)\n(?<text>[\s\S]*)\n\k<marks>$/;

/** A text as it was before it was written under a heading. */
export function takenOut(body: string): string {
  const text = body.trimEnd().replace(/^\n+/, '');
  const block = BLOCK.exec(text)?.groups;
  if (!block) return text.trim();
  const { kind, text: inside = '' } = block;
  const value = kind === 'text' ? inside : jsonIn(inside);
  return typeof value === 'string' ? value : text;
}

/** Whether a text under a heading reads back as it is, and leaves what follows it alone. */
export function plainIn(text: string): boolean {
  const [section, next] = sectionsIn(`## A\n\n${text}\n\n### B\n\n## C\n`).sections;
  if (section === undefined || next?.heading !== 'C') return false;
  const [inner, last] = sectionsIn(section.body, 3).sections;
  const { top } = sectionsIn(section.body, 3);
  return inner?.heading === 'B' && last === undefined && takenOut(top) === text && !/^#/m.test(text);
}
