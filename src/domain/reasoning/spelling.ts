import type { Decision } from '../decision.ts';
import { idCandidates, isIdPrefix, PREFIX_DIGITS_IN_REASONING } from '../id.ts';
import { isParticle } from '../language/particle.ts';
import { foldName, normalizeName } from '../text/text.ts';
import type { Words } from './reference.ts';

/** The longest Korean particle, in syllables. */
const LONGEST_PARTICLE = 4;

/** Whether a reference is the number of an observation, `#38`. */
export function isObservation({ written }: Words): boolean {
  return written.startsWith('#');
}

/**
 * The names that a topic in reasoning may have, the most literal first: as it was written, then without the Korean
 * particle that is glued to it (`infra:cdn에서`). None when the reference is not a topic.
 */
export function topicSpellings({ written, mayBeTopic }: Words): string[] {
  if (!mayBeTopic) return [];
  const spellings = [written];
  for (let length = 1; length <= LONGEST_PARTICLE; length++) {
    const name = written.slice(0, -length).trim();
    if (name !== '' && isParticle(written.slice(-length))) spellings.push(name);
  }
  return spellings;
}

/** `db:engine@2` as a topic and a version of it; undefined when it ends in no version. */
export function versionOfTopic(reference: string): { name: string; version: number } | undefined {
  const [, name, version] = normalizeName(reference).match(/^(.+)@(\d{1,9})$/su) ?? [];
  return name === undefined ? undefined : { name: normalizeName(name), version: Number(version) };
}

/** The beginning of an id, if a reference is long enough to be one. */
export function idBeginning({ written }: Words): string | undefined {
  const beginning = withoutKind(written).toLowerCase();
  return isIdPrefix(beginning, PREFIX_DIGITS_IN_REASONING) ? beginning : undefined;
}

/** `decision_<id>` as an id. */
export function withoutKind(reference: string): string {
  return reference.replace(/^decision_/i, '');
}

/** Whether a reference can have meant this decision when it was resolved, whatever it would mean today. */
export function canMean(
  reference: Words,
  { id, topic, version }: Pick<Decision, 'id' | 'topic' | 'version'>,
): boolean {
  const beginning = idBeginning(reference);
  if (idCandidates(reference.written).includes(id)) return true;
  if (beginning !== undefined && id.startsWith(beginning)) return true;
  return topicSpellings(reference).some((spelling) => {
    const of = versionOfTopic(spelling);
    const isNamed = (name: string) => topic !== null && foldName(name) === foldName(topic);
    return isNamed(spelling) || (of !== undefined && isNamed(of.name) && of.version === version);
  });
}
