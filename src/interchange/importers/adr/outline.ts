import { linesOf, type Section, sectionsIn, withoutComments } from '../markdown.ts';
import { isGround, isOfLinks, nameOf } from './words.ts';

/** A record in its parts. */
export interface Outline {
  /** As it is written; undefined where there is none. */
  title: string | undefined;
  /** Lines between the title and the first section. */
  top: string;
  sections: Section[];
}

const HEADED = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
/** A line that is underlined as a heading, and not a field, an item or a row above a rule. */
const UNDERLINED = /^ {0,3}(?![-*+>|#=\s]|__)[^|]*\S/;

/** Takes a record apart, whatever level its sections have: the one on which it speaks of a decision. */
export function outlineOf(markdown: string): Outline {
  const body = withHeadings(markdown);
  const { top: before, sections: titles } = sectionsIn(body, 1);
  const [first, ...others] = titles;
  const levels = [2, 1, 3].map((level) => {
    if (level !== 1) return sectionsIn(body, level);
    return { top: first === undefined ? before : `${before}\n${first.body}`, sections: others };
  });
  const { top, sections } = levels.find((each) => each.sections.some(isKnown)) ?? sectionsIn(body);
  const plain = top.split('\n').filter((line) => !/^#\s/.test(line));
  return {
    title: withoutComments(first?.heading ?? '').trim() || undefined,
    top: plain.join('\n'),
    sections: sections.map(({ heading, body: stated }) => ({ heading: headingOf(heading), body: stated })),
  };
}

function isKnown({ heading }: Section): boolean {
  const name = headingOf(heading);
  return nameOf(name) !== undefined || isGround(name) || isOfLinks(name);
}

/** Without a number before it and a colon behind it. */
const headingOf = (text: string) =>
  withoutComments(text)
    .trim()
    .replace(/^\d+[.)]\s+/, '')
    .replace(/^\p{Extended_Pictographic}\ufe0f?\s*/u, '')
    .replace(/^(\*\*|__)(.*)\1$/, '$2')
    .replace(/[:：]$/, '')
    .trimEnd();

/** The same text with every heading as `## Heading`, also one that is underlined or indented. */
function withHeadings(markdown: string): string {
  const stated: string[] = [];
  for (const { text, isCode } of linesOf(markdown)) {
    const [, marks, heading] = (!isCode && HEADED.exec(text)) || [];
    const line = stated.at(-1) ?? '';
    const [, under] = (!isCode && /^ {0,3}(={2,}|-{3,})[ \t]*$/.exec(text)) || [];
    const isUnder = under !== undefined && UNDERLINED.test(line) && (stated.at(-2) ?? '').trim() === '';
    if (isUnder && (under.startsWith('=') || !/:\s/.test(line)))
      stated.splice(-1, 1, `${under.startsWith('=') ? '#' : '##'} ${line.trim()}`);
    else stated.push(marks === undefined ? text : `${marks} ${unclosed(heading ?? '')}`);
  }
  return stated.join('\n');
}

/** Without the marks that some write behind a heading, too. */
function unclosed(heading: string): string {
  const plain = heading.trimEnd();
  let end = plain.length;
  while (plain[end - 1] === '#') end--;
  const isClosed = end < plain.length && (end === 0 || /[ \t]/.test(plain[end - 1] ?? ''));
  return isClosed ? plain.slice(0, end).trimEnd() : plain;
}
