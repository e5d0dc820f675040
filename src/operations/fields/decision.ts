import * as z from 'zod';
import { HINTS } from '../../domain/anchor.ts';
import { byField, type Content, FIELDS, type Field, OPTIONAL } from '../../domain/decision.ts';
import { PLACES_LENGTH, patternsIn, placesFrom, problemOfPlaces } from '../../domain/place.ts';
import { placesMeant } from '../../domain/place-written.ts';
import { DAY_LENGTH, isDay } from '../../domain/text/moment.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { evidenceText, name, text, wholeNumber } from './basic.ts';

export const decisionId = () => text(LIMITS.id, 'Id of a decision (any version), or its topic');
export const topic = () =>
  name(
    LIMITS.topic,
    'What the decision is about, as a stable key such as "auth:token". A later one on it supersedes this one',
  );
/** The scope that a question is about; the command line calls both `--scope` (U-8). */
export const domain = (description: string) => name(LIMITS.scope, description).meta({ option: 'scope' });

/** What the command line takes, too: as searches call it, and as answers do. */
const ALSO: Partial<Record<Field, string>> = { scope: 'domain', reasoning: 'why' };

/**
 * The fields of a decision as an operation takes them (B-1): all but the text may be left out.
 * @param hasAll whether agents see those as well that they seldom give (`isAside`)
 * @param isChange whether an empty text takes away what a decision may lack
 */
export function content(hasAll = false, isChange = false): ContentInput {
  return byField<ContentInput>((field) => {
    const also = ALSO[field];
    const mayLack = isChange && (OPTIONAL as Field[]).includes(field);
    const of = mayLack ? orEmpty(input(field) as z.ZodType<string>) : input(field);
    const said = field === 'text' ? of : (also === undefined ? of : of.meta({ also })).optional();
    const { isAside, isFilled } = FIELDS[field];
    return isFilled || (isAside && !hasAll) ? said.meta({ model: false }) : said;
  });
}
type ContentInput = { text: z.ZodType<string, string> } & {
  [Name in Exclude<Field, 'text'>]: z.ZodOptional<
    z.ZodType<NonNullable<Content[Name]>, NonNullable<Content[Name]>>
  >;
};

function input(field: Field): z.ZodType {
  const { about, ...held } = FIELDS[field];
  switch (held.kind) {
    case 'words':
      return text(held.limit, about);
    case 'name':
      return name(held.limit, about);
    case 'choice':
      return z.enum(held.of).describe(about);
    case 'number': {
      const message = `to be between ${held.least} and ${held.most}`;
      return z.number().min(held.least, message).max(held.most, message).describe(about);
    }
    case 'day':
      return text(DAY_LENGTH, about).refine(isDay, 'to be a day, such as 2027-03-01');
    case 'places':
      return places(about).meta({ option: 'file' });
  }
}

/** The same field, or an empty text. */
const orEmpty = (field: z.ZodType<string>) =>
  z
    .string()
    .overwrite((value) => field.safeParse(value).data ?? value.trim())
    .superRefine((value, context) => {
      const { error } = value === '' ? {} : field.safeParse(value);
      for (const issue of error?.issues ?? []) context.addIssue({ ...issue, input: value } as never);
    })
    .meta({ ...field.meta(), description: `${field.description}; empty: none`, minLength: 0 });

/** Signs that stay only where the form of a list was not understood (TR-4). */
const problemOfForm = (places: string): string | undefined => {
  const odd = patternsIn(places).find((each) => /["`]|:\/\//.test(each));
  return (
    odd &&
    `to be paths or patterns, one a line or as a list, such as ["src/a.ts", "src/store/**"], not ${odd.slice(0, 100)}`
  );
};

/** Files and patterns of files (F-1). In a change an empty text takes all away. @param meant how they are read */
export const places = (about: string, meant = placesMeant) =>
  z
    .string()
    // As long a text is refused before it is taken apart (Z-5).
    .overwrite((value) => (value.length > PLACES_LENGTH ? value : placesFrom(meant(value))))
    .superRefine((value, context) => {
      const message = problemOfPlaces(value) ?? (meant === placesMeant ? problemOfForm(value) : undefined);
      if (message) context.addIssue({ code: 'custom', message });
    })
    .meta({ description: about, lines: true });

/** The files that are asked about, from the top folder of the repository on (F-2, F-6). */
export const askedFiles = (description: string) =>
  places(description)
    .refine(
      (value) => patternsIn(value).every((each) => !/^\/|[*?]/.test(each)),
      'to be paths from the top folder of the repository on, such as "src/store/engine.ts"',
    )
    .meta({ option: 'file' });

/** By which phrases a decision is recalled (RE-16). @param said what models read of it, where another tool says the rest */
export const hints = (said = HINTED) =>
  z
    // One that cannot be a hint is left out with a warning, since a save must not fail by it.
    .array(z.string())
    .meta({ description: said, cli: HINTED, option: 'hint' });
const HINTED = `At most ${HINTS.most} phrases of ${HINTS.words} words: how somebody would ask for what it rules out, other names, packages, calls, languages`;

/** Why something is changed, where nothing else of a decision is. */
export const reasoning = () => content().reasoning.unwrap();
/** The lock that a call means to override (T-6). */
export const replaces = () =>
  text(LIMITS.id, 'Id of the active lock on this topic, to override it').optional();
/** The same for what overrides several. */
export const replacesMany = (does: string) =>
  z
    .array(replaces().unwrap())
    .max(LIMITS.locks, `to hold at most ${LIMITS.locks} items`)
    .optional()
    .describe(`The locks that this ${does}: the ids of their active versions`);
/** A save that undo undoes: its number, the lock that a person saw in it, and a reason where something in it may ask for one. */
export const chosenSave = z.strictObject({
  save: wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Its number'),
  replaces: replaces(),
  reasoning: reasoning().optional(),
});
export const evidence = () =>
  z
    .array(evidenceText(LIMITS.evidence))
    .max(LIMITS.evidenceItems, `to hold at most ${LIMITS.evidenceItems} items`)
    .describe('Grounds, word for word: quotes, logs');
