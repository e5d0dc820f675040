import * as z from 'zod';
import { byField, type Content, FIELDS, type Field } from '../../domain/decision.ts';
import { DAY_LENGTH, isDay } from '../../domain/text/moment.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { evidenceText, name, text } from './basic.ts';

export const decisionId = () =>
  text(LIMITS.id, 'Id of a decision (any version), its beginning, or its topic');
export const topic = () =>
  name(
    LIMITS.topic,
    'What the decision is about, as a stable key such as "auth:token". A later decision on this topic supersedes this one',
  );
/** The scope that a question is about; the command line calls both `--scope` (U-8). */
export const domain = (description: string) => name(LIMITS.scope, description).meta({ option: 'scope' });

/** The fields of a decision as an operation takes them (B-1): all but the text may be left out. */
export function content(): ContentInput {
  const { text, scope, ...fields } = byField<Record<Field, z.ZodType>>(input);
  const others = Object.entries(fields).map(([field, of]) => [field, of.optional()]);
  // The command line takes --domain too, as searches call it.
  return { text, scope: scope.meta({ also: 'domain' }).optional(), ...Object.fromEntries(others) };
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
      return z.enum(held.of).meta({ description: about });
    case 'number': {
      const message = `to be between ${held.least} and ${held.most}`;
      return z.number().min(held.least, message).max(held.most, message).meta({ description: about });
    }
    case 'day':
      return text(DAY_LENGTH, about).refine(isDay, 'to be a day, such as 2027-03-01');
  }
}

/** Why something is changed, where nothing else of a decision is. */
export const reasoning = () => content().reasoning.unwrap();
/** The lock that a call means to override (T-6). */
export const replaces = () =>
  text(LIMITS.id, 'The lock that this overrides: the id of its active version').optional();
export const evidence = () =>
  z
    .array(evidenceText(LIMITS.evidence, 'One ground, word for word'))
    .max(LIMITS.evidenceItems, `to hold at most ${LIMITS.evidenceItems} items`)
    .meta({ description: 'Grounds, word for word: quotes, logs' });
