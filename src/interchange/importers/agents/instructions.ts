import type { ObservationFact } from '../../../domain/arrival/facts.ts';
import { wholeFrontMatter } from '../front-matter.ts';
import { sectionsIn, withoutCode } from '../markdown.ts';
import type { SourceText } from '../source-text.ts';

const IMPORT = /(?<![\w`])@((?:~|\.{0,2}\/)?[\w./-]+\.\w+)/g;
/** Globs of Cursor are no YAML: they begin with an asterisk, which YAML takes for an alias. */
const GLOBS = /^(globs:[ \t]*)([^\s"'[].*)$/m;

/**
 * What people tell their agents in a file: an observation for each section, since one is changed at a time.
 * @param name the file, as it is named in its place
 */
export function instructionFile(name: string, project: string | null, source: SourceText): ObservationFact[] {
  const { values, body } = wholeFrontMatter(quotedGlobs(source.text));
  const { top, sections } = sectionsIn(body);
  const heading = /^#\s+(.+)$/m.exec(top)?.[1]?.trim();
  const lead = top.replace(/^#\s+.+$/m, '').trim();
  const fact = (key: string, title: string, content: string): ObservationFact => ({
    key,
    at: source.changedAt,
    isUndated: true,
    title,
    content,
    type: 'instruction',
    project,
    scope: project === null ? 'personal' : 'project',
    topicKey: null,
    rest: values,
  });
  const first = lead === '' ? [] : [fact(name, heading === undefined ? name : `${name}: ${heading}`, lead)];
  const seen = new Map<string, number>();
  return [
    ...first,
    ...sections.map(({ heading: title, body: content }) => {
      const before = seen.get(title) ?? 0;
      seen.set(title, before + 1);
      return fact(
        `${name}#${title}${before === 0 ? '' : `#${before + 1}`}`,
        `${name}: ${title}`,
        content.trim(),
      );
    }),
  ];
}

/** Other files that a file takes in, but those that stand in code. */
export function importsOf(text: string): string[] {
  return [...new Set([...withoutCode(text).matchAll(IMPORT)].map(([, path = '']) => path))];
}

/** The front matter of Cursor as YAML. */
export function quotedGlobs(text: string): string {
  return text.startsWith('---')
    ? text.replace(GLOBS, (_, name, globs) => name + JSON.stringify(globs))
    : text;
}
