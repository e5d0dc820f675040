import type { Facts, ObservationFact } from '../../../domain/arrival/facts.ts';
import { wholeFrontMatter } from '../front-matter.ts';
import type { SourceText } from '../source-text.ts';

/** What is about the person, wherever it was learnt. */
const PERSONAL = ['user', 'feedback'];
const LINK = /\[\[([^[\]|#]+)(?:[|#][^[\]]*)?\]\]/g;

/** A note that Claude Code wrote down by itself, in either form of its front matter. */
export function memoryFile(name: string, project: string, { text, changedAt }: SourceText): ObservationFact {
  const { values, body } = wholeFrontMatter(text);
  const more = (values.metadata ?? {}) as Record<string, unknown>;
  const stem = name.replace(/\.md$/, '');
  const type = String(more.type ?? values.type ?? 'note');
  const modified = Date.parse(String(more.modified ?? '')) || undefined;
  const session = more.originSessionId ?? values.originSessionId;
  const { name: title, type: _, originSessionId: __, metadata: ___, ...rest } = values;
  const { type: ____, originSessionId: _____, modified: ______, node_type: _______, ...other } = more;
  return {
    key: `claude:${project}/${name}`,
    at: modified ?? changedAt,
    ...(modified === undefined && { isUndated: true as const }),
    session: session === undefined ? undefined : String(session),
    title: String(title ?? stem),
    content: body.trim(),
    type,
    project,
    scope: PERSONAL.includes(type) ? 'personal' : 'project',
    topicKey: `claude:${project}/${stem}`,
    rest: { ...rest, ...other },
  };
}

/** Links between such notes, by their titles and names: `[[project-tokens]]`. */
export function linksBetween(notes: ObservationFact[]): Facts['relations'] {
  const keys = new Map<string, string>();
  for (const { key, title } of notes) {
    const stem = (key.split('/').at(-1) ?? '').replace(/\.md$/, '');
    for (const name of [title, stem, stem.replaceAll('_', '-')]) keys.set(name.toLowerCase(), key);
  }
  return notes.flatMap((note) =>
    [...new Set([...note.content.matchAll(LINK)].map(([, name = '']) => name.trim()))].map((name) => ({
      key: `${note.key} links_to ${name}`,
      at: note.at,
      isUndated: true as const,
      from: note.key,
      to: keys.get(name.toLowerCase()) ?? name,
      type: 'links_to',
      note: null,
    })),
  );
}
