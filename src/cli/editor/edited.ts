import { PrecedentError } from '../../domain/error.ts';
import { type Written, writeInEditor } from './editor.ts';
import { changedIn, readTemplate, type Section, toTemplate } from './template.ts';

/** Saves what was written. @param fields those that say something else now */
type Save<Result> = (fields: Record<string, string>) => Promise<Result>;

/**
 * Lets a person write fields in an editor, and saves them (U-6). When they cannot be saved, what was written is kept in a
 * file that the error names.
 * @param isNew whether all that is written is saved; else what changed
 * @returns undefined when nothing was changed
 * @throws PrecedentError `invalid` for an empty text, and what saving throws
 */
export async function edited<Result>(
  about: readonly string[],
  sections: readonly Section[],
  save: Save<Result>,
  isNew = false,
): Promise<Result | undefined> {
  const written = await writeInEditor(toTemplate(about, sections));
  const said = readTemplate(written.text, sections);
  const fields = changedIn(said, isNew ? sections.map((each) => ({ ...each, text: '' })) : sections);
  if (Object.values(said).every((text) => !text)) {
    written.discard();
    throw new PrecedentError('invalid', 'Expected a text, found an empty one. Nothing was changed.');
  }
  if (Object.keys(fields).length === 0) {
    written.discard();
    return undefined;
  }
  return saved(written, () => save(fields));
}

async function saved<Result>(written: Written, save: () => Promise<Result>): Promise<Result> {
  try {
    const result = await save();
    written.discard();
    return result;
  } catch (error) {
    throw written.kept(error);
  }
}
