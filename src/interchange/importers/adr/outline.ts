import { linesOf, type Section, sectionsIn, withoutComments } from '../markdown.ts';
import { isGround, isOfLinks, nameOf } from './words.ts';

/** A record in its parts. */
export interface Outline {
  /** As it is written; undefined where there is none. */
  title: string | undefined;
  /** A first heading of sections with nothing under it: it may be the title. */
  instead: string | undefined;
  /** All of it, without comments. */
  body: string;
  /** Lines between the title and the first section. */
  top: string;
  sections: Section[];
}

const HEADED = /^ {0,3}(#{1,6})[ \t]+(.*)$/s;
/** Signs that underline a heading of reStructuredText. */
const ADORNMENT = /^([!-/:-@[-`{-~])\1{2,}$/;
/** A line that is underlined as a heading, and not a field, an item or a row above a rule. */
const UNDERLINED = /^ {0,3}(?![-*+>|#=\s]|__)[^|]*\S/;

/**
 * Takes a record apart, whatever level its sections have: the one on which it speaks of a decision.
 * @param file its name, whose ending says how it is written
 */
export function outlineOf(text: string, file: string): Outline {
  const body = withHeadings(
    /\.rst$/i.test(file) ? ofRst(text) : /doc$/i.test(file) ? ofAsciiDoc(text) : text,
  );
  const whole = sectionsIn(body, 1);
  const [first] = whole.sections;
  // A title may begin like a section: "Context compaction".
  const isTitle =
    first !== undefined &&
    (!isKnown(first) ||
      (nameOf(headingOf(first.heading)) === undefined &&
        /^## /m.test(first.body) &&
        !whole.sections.slice(1).some(isKnown)));
  const titled = isTitle ? first : undefined;
  const levels = [2, 1, 3].map((level) => {
    if (level !== 1 || titled === undefined) return sectionsIn(body, level);
    return { top: `${whole.top}\n${titled.body}`, sections: whole.sections.slice(1) };
  });
  const [{ top, sections }] = levels.toSorted((a, b) => worth(b) - worth(a)) as [
    Omit<Outline, 'title' | 'instead'>,
  ];
  const [opening] = whole.sections.length === 0 ? sections : [];
  const plain = top.split('\n').filter((line) => !/^#\s/.test(line));
  return {
    title: withoutComments(titled?.heading ?? '').trim() || undefined,
    instead: opening && opening.body.trim() === '' && !isKnown(opening) ? opening.heading : undefined,
    body: withoutComments(body),
    top: plain.join('\n'),
    sections: sections.map(({ heading, body: stated }) => ({ heading: headingOf(heading), body: stated })),
  };
}

/** How well sections of a level tell of a decision: by its state and what was decided, else by what is known. */
function worth({ sections }: Pick<Outline, 'sections'>): number {
  const names = new Set(sections.map(({ heading }) => nameOf(headingOf(heading))));
  return (
    Number(names.has('status')) + Number(names.has('decision')) ||
    Math.min(sections.filter(isKnown).length / 10, 0.5)
  );
}

function isKnown({ heading }: Section): boolean {
  const name = headingOf(heading);
  return !['title', undefined].includes(nameOf(name)) || isGround(name) || isOfLinks(name);
}

/** Without a number before it and a colon after it; a status without whose it is. */
const headingOf = (text: string) =>
  withoutComments(text)
    .trim()
    .replace(/^\d+[.)]\s+/, '')
    .replace(/^\p{Extended_Pictographic}\ufe0f?\s*/u, '')
    .replace(/^(\*\*|__)(.*)\1$/, '$2')
    .replace(/[:：]$/, '')
    .replace(/^(?:adr|current|decision|proposal|record) (?=status\s*$)/i, '')
    .trimEnd();

/** The same text with every heading as `## Heading`, also one that is underlined or indented. */
export function withHeadings(markdown: string): string {
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

/** reStructuredText with the headings, fields and links of Markdown; its other markup stays as it is. */
function ofRst(text: string): string {
  const styles: string[] = [];
  const lines: string[] = [];
  const all = text.split('\n');
  for (let at = 0; at < all.length; at++) {
    const [line = '', next = '', last = ''] = [all[at], all[at + 1], all[at + 2]];
    const isOver = ADORNMENT.test(line) && last === line && next.trim() !== '';
    const isHeading = isOver || (/^\S/.test(line) && ADORNMENT.test(next) && !ADORNMENT.test(line));
    if (isHeading) {
      const style = `${isOver}${(isOver ? line : next)[0]}`;
      if (!styles.includes(style)) styles.push(style);
      lines.push('', `${'#'.repeat(styles.indexOf(style) + 1)} ${(isOver ? next : line).trim()}`, '');
      at += isOver ? 2 : 1;
    } else if (!/^\.\. _/.test(line)) lines.push(line);
  }
  return lines
    .join('\n')
    .replace(/^:([\w -]{1,40}):(?= )/gm, '$1:')
    .replace(/^ +\* - ([\w -]{1,40})\n +- (?=\S)/gm, '$1: ')
    .replace(/:(?:ref|doc):`([^`<>()[\]]{1,200})`/g, '[$1]($1)')
    .replace(/(?::doc:|:ref:)?`([^`<]{1,200}?)\s*<([^`<>]{1,300})>`_{0,2}/g, '[$1]($2)');
}

/** AsciiDoc with the headings, fields, code and links of Markdown; its other markup stays as it is. */
const ofAsciiDoc = (text: string): string =>
  text
    .replace(/^\/{4}\n[\s\S]*?^\/{4}$|^\/\/(?!\/).*$|^\[[^\]\n]*\]$/gm, '')
    .replace(/^(?:-{4,}|\.{4,})$/gm, '```')
    .replace(/^(=+)(?= \S)/gm, (marks) => '#'.repeat(marks.length))
    // A visible text counts before an attribute, which only the page's source shows.
    .replace(/^:([\w-]{1,40}):(?= )/gm, (_, name: string) =>
      RegExp(`^\\*+ ${name}: *[^\\s{]`, 'im').test(text) ? `Attribute ${name}:` : `${name}:`,
    )
    .replace(/^([\w -]{1,40})::(?= )/gm, '$1:')
    // The line of the revision, below the author.
    .replace(/^v\d[\w.]*, *(?=\d)/m, 'Created: ')
    .replace(/^(\*+|\.+) (?=\S)/gm, (_, marks: string) => `${'  '.repeat(marks.length - 1)}* `)
    .replace(/<<([^<>,#]{1,300})#?,\s*([^<>]{1,200})>>/g, '[$2]($1)')
    .replace(
      /(?:link:|xref:|(?=https?:))([^\s[\]]{1,300})\[([^[\]]{0,200})\]/g,
      (_, target: string, words: string) => `[${words || target}](${target})`,
    );

/** Without the marks that some write after a heading, too. */
const unclosed = (heading: string): string =>
  heading
    .trimEnd()
    .replace(/(?<=^|[ \t])#+$/, '')
    .trimEnd();
