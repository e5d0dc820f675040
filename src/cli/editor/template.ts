/** A part of what is written in an editor: a field of an operation. */
export interface Section {
  field: string;
  /** What it is, in one line. */
  about: string;
  /** What it says now; empty for nothing. */
  text: string;
}

/** How a line begins that is left out. A heading of Markdown begins otherwise. */
const COMMENT = '#|';

/**
 * A text for an editor (U-6): what it is about in comments, then each section below a line that names it.
 * @param about a line each
 */
export function toTemplate(about: readonly string[], sections: readonly Section[]): string {
  const head = [
    ...about,
    `Lines that begin with "${COMMENT}" are left out; those with a name in brackets begin a part.`,
    'Where nothing is written, or nothing changes, nothing is saved.',
  ];
  const parts = sections.map(({ field, about, text }) => `${COMMENT} [${field}] ${about}\n${text}\n`);
  return [...head.map((line) => `${COMMENT} ${line}\n`), '\n', parts.join('\n')].join('');
}

/** What was written of each section, without comments and the blank lines around it; undefined for one that is gone. */
export function readTemplate(
  written: string,
  sections: readonly Pick<Section, 'field'>[],
): Record<string, string | undefined> {
  const found = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of written.split(/\r?\n/)) {
    const name = sections.find(({ field }) => line.startsWith(`${COMMENT} [${field}]`))?.field;
    if (name !== undefined) {
      current = found.get(name) ?? [];
      found.set(name, current);
    } else if (!line.startsWith(COMMENT)) current?.push(line);
  }
  return Object.fromEntries(sections.map(({ field }) => [field, found.get(field)?.join('\n').trim()]));
}

/** The sections that say something else now; one that is gone or empty changes nothing. */
export function changedIn(
  written: Record<string, string | undefined>,
  sections: readonly Section[],
): Record<string, string> {
  return Object.fromEntries(
    sections.flatMap(({ field, text }) => {
      const now = written[field];
      return now === undefined || now === '' || now === text.trim() ? [] : [[field, now]];
    }),
  );
}
