import { join } from 'node:path';
import { PrecedentError } from '../../domain/error.ts';
import type { Trigger } from '../../domain/language/trigger.ts';
import type { PromptRead } from '../../domain/prompt/reading.ts';
import { statHere } from '../../files/machines.ts';
import { pathIn } from '../../files/path-in.ts';
import { placedIn } from '../../git/folder.ts';
import type { AboutPrompt } from '../../memory/briefing.ts';
import type { Fact } from '../../operations/briefing/line.ts';
import { type Hearing, saying } from '../hearing.ts';
import { type Context, filled, LIMITS, SILENCE } from '../page.ts';
import { type Session, wordHash } from '../session.ts';
import { askOfPrompt } from './deciding.ts';

/** The answer where a prompt asks something of the memory. */
export const ASKED: Record<Trigger, string> = {
  memo: 'This message may ask to remember something: mama_save if it settles how work is done, else memo_save (precedent).',
  expand: 'This message may ask for more about the last memo: memo_expand (precedent).',
};
/** Tokens of the line that counts what is left out. */
const NOTE = 15;

/**
 * Says what a prompt is about, each record once, and asks to save what it decides; then records its words, if that is wanted
 * (M-11).
 */
export async function onPrompt(asked: PromptRead, hearing: Hearing): Promise<void> {
  const { briefing, session, isRecording } = hearing;
  const said = new Set(Object.keys(hearing.state().said));
  const known = await briefing.about({ ...asked, names: placesNamed(asked.names, hearing.cwd) }, said);
  const recordable = isRecording && session !== '' ? asked.recordable : [];
  let repeated = new Set<string>();
  await hearing.say((state) => {
    const fresh = (facts: Fact[]) => facts.filter(({ id }) => state.said[id] === undefined);
    const told = { ...known, named: fresh(known.named), facts: fresh(known.facts) };
    // A rule that was shown before is replaced all the same.
    const subject = { subject: asked.subject, session, told: [...known.named, ...told.facts] };
    const ask = known.trigger ? undefined : askOfPrompt(asked.deciding, subject, state);
    const context = promptContext(told, ask?.line);
    const counted = countedWith(state.words, recordable, session);
    repeated = counted.repeated;
    return {
      ...context,
      whenShown: {
        ...saying(
          state,
          context.shown.map((id) => [id, 'prompt']),
        ),
        ...ask?.change,
      },
      always: { prompts: state.prompts + 1, words: counted.words },
    };
  });
  if (recordable.length === 0) return;
  try {
    await briefing.record(recordable, (word) => repeated.has(word));
  } catch (error) {
    if (!(error instanceof PrecedentError) || error.reason !== 'busy') throw error;
    await hearing.say(({ dropped }) => ({ ...SILENCE, always: { dropped: dropped + 1 } }));
  }
}

/** The answer to a prompt; of records without room, their number (T-4). @param ask comes last */
export function promptContext({ named, facts, trigger }: AboutPrompt, ask?: string): Context {
  return filled(
    LIMITS.prompt,
    [...(trigger ? [ASKED[trigger]] : []), ...(ask === undefined ? [] : [ask])],
    (page) => {
      const [first, ...others] = facts;
      const left = page.addWhole([...named, ...(first?.binds ? [first] : [])]);
      left.push(...page.add(first?.binds ? others : facts));
      page.reasons();
      page.wholeReasons();
      return left;
    },
    (page, left) => page.say(`${left.length} more about this not shown here: recall (precedent).`),
    NOTE,
  );
}

/** Names as the places of decisions are written (F-1): a path that began with "/" is read without it. */
function placesNamed(names: string[], cwd: string): string[] {
  const { folder, top } = placedIn(cwd);
  return names.flatMap((name) => {
    const whole = pathIn(top, folder, `/${name}`);
    if (whole !== undefined || !name.includes('/')) return whole ?? name;
    if (statHere(join(folder, name), folder)) return pathIn(top, folder, name) || name;
    // A file elsewhere is bound by nothing here.
    return statHere(`/${name}`, folder) ? [] : name;
  });
}

/** How often a session had each word, with those of one more prompt, and which of them it had before. @param before by hash */
function countedWith(before: Session['words'], words: string[], session: string) {
  const hashes = words.map((word) => wordHash(session, word));
  const repeated = new Set(words.filter((_, at) => (before[hashes[at] ?? ''] ?? 0) > 0));
  const counts = { ...before };
  for (const hash of hashes) counts[hash] = (counts[hash] ?? 0) + 1;
  return { words: counts, repeated };
}
