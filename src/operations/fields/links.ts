import * as z from 'zod';
import { REFERENCES, type Reference } from '../../domain/edge.ts';
import { invalid } from '../../domain/error.ts';
import { countCharacters, LIMITS } from '../../domain/text/text.ts';
import { forPeople, text } from './basic.ts';

const MOST = 100;
const references = (description: string) =>
  forPeople(
    z
      .array(
        text(LIMITS.topic).refine(
          (value) => !/[[\]［］,;、，\n]/.test(value),
          'to be an id or a topic without brackets and commas: give the id of such a topic',
        ),
      )
      .max(MOST, `to hold at most ${MOST} items`)
      .describe(`${description}: ids or topics`),
  );
export const buildsOn = () => references('What it builds on');
/** Links as fields (LB-4). What it builds on is named in the case of the family. */
export const links = () => ({
  debates: references('What it argues with'),
  synthesizes: references('What it brings together'),
  quoted: forPeople(
    text(
      LIMITS.reasoning,
      'Somebody else’s words, kept after the reasoning as a quotation, in which no link is read',
    ),
  ),
});

/** The names of {@link links}. */
export const LINKS = Object.keys(links()) as (keyof ReturnType<typeof links>)[];

/** The fields of links as they are given, beside the reasoning that they become part of. */
interface Linking {
  reasoning?: string | undefined;
  debates?: string[] | undefined;
  synthesizes?: string[] | undefined;
  quoted?: string | undefined;
}

/**
 * A draft whose reasoning has its links and its quotation in the notation that reasoning has anyway, so that every reader,
 * export and machine knows them (LB-4).
 * @throws PrecedentError `invalid` where all of it is too long
 */
export function withLinks<Draft extends Linking>(
  { debates, synthesizes, quoted, ...draft }: Draft,
  builds_on: string[] | undefined,
) {
  const linked: { [Kind in Reference]: string[] | undefined } = { builds_on, debates, synthesizes };
  const has = new Set(draft.reasoning?.split('\n'));
  const lines = REFERENCES.filter((kind) => linked[kind]?.length)
    .map((kind) => `${kind}: [${linked[kind]?.join(', ')}]`)
    .filter((line) => !has.has(line));
  const parts = [draft.reasoning, lines.join('\n'), quoted?.replace(/^/gm, '> ')].filter(Boolean);
  const whole = parts.join('\n\n');
  const length = countCharacters(whole);
  if (length > LIMITS.reasoning)
    throw invalid.too_long(
      `Expected "reasoning" with links and quotation to have at most ${LIMITS.reasoning} characters, found ${length}.`,
    );
  return whole === '' ? draft : { ...draft, reasoning: whole };
}
