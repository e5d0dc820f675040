import * as z from 'zod';
import { STRENGTHS } from '../../domain/decision.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { evidenceText, name, text } from './basic.ts';

export const decisionId = () =>
  text(LIMITS.id, 'Id of a decision (any version), its beginning, or its topic');
export const topic = () =>
  name(
    LIMITS.topic,
    'What the decision is about, as a stable key such as "auth:token". A later decision on this topic supersedes this one',
  );
/** The command line takes --domain too, as searches call it. */
export const scope = () =>
  name(
    LIMITS.scope,
    'Where it holds, such as "global", "ui", "coding". Default: the first segment of the topic, else "global"',
  ).meta({ also: 'domain' });
/** The scope that a question is about; the command line calls both `--scope` (U-8). */
export const domain = (description: string) => name(LIMITS.scope, description).meta({ option: 'scope' });
export const strength = () =>
  z
    .enum(STRENGTHS)
    .meta({ description: 'axis: shapes everything; lock: must not be broken; normal (default)' });
export const confidence = () => {
  const message = 'to be between 0 and 1';
  return z
    .number()
    .min(0, message)
    .max(1, message)
    .meta({ description: 'How sure; when left out as before, else 0.5' });
};
export const reasoning = () =>
  text(
    LIMITS.reasoning,
    'Why. May link decisions by id or topic: "builds_on: <id>", "debates: auth:token", "synthesizes: [<id>, <id>]"',
  );
export const evidence = () =>
  z
    .array(evidenceText(LIMITS.evidence, 'One ground, word for word'))
    .max(LIMITS.evidenceItems, `to hold at most ${LIMITS.evidenceItems} items`)
    .meta({ description: 'Grounds, word for word: quotes, measurements, logs' });
