import type { ChangeKind, Save } from '../../domain/change.ts';
import { dayOf, iso } from '../../domain/text/moment.ts';
import type { Tx } from '../tx.ts';
import { changesOf } from './part.ts';

/** What nothing brings back, as the person who undid it reads it. */
const GONE: Partial<Record<ChangeKind, string>> = {
  erased: 'an observation was deleted for good',
  unrelated: 'a relation was removed for good',
  repeated: 'an observation was saved again, which is only counted',
};

/**
 * Says what was saved later than what is undone, and could not be undone itself (K-6).
 * @param passed the newest first
 * @returns undefined when there is nothing to say
 */
export async function skippedSaves(tx: Tx, passed: Save[]): Promise<string | undefined> {
  const last = new Map<string, string>();
  for (const save of passed) {
    const kinds = (await changesOf(tx, save)).map(({ kind }) => GONE[kind]);
    const what = kinds.find((each) => each !== undefined) ?? 'something was saved that is gone by now';
    if (!last.has(what)) last.set(what, dayOf(iso(save.createdAt)));
  }
  if (last.size === 0) return undefined;
  const said = [...last].map(([what, day]) => `${what} (${day})`);
  return `Skipped, since it cannot be undone: ${said.join('; ')}.`;
}
