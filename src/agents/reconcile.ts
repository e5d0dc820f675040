import { type Changed, type Entry, FORMATS, type Ours } from './entry.ts';
import { isSamePlace, SettingsEditor } from './settings-editor.ts';

export interface Reconciled extends Omit<Ours, 'existed'> {
  /** What the file shall say; undefined when it shall be gone. */
  text: string | undefined;
  /** Were there before setup, and say already or otherwise what was requested: they are left as they are. */
  userEntries: Entry[];
  /** Were ours, and were changed by others since: they are left as they are. */
  changed: Changed[];
  /** Were not entered, since a person forbids them. */
  forbidden: Entry[];
  /** Were written by the agent itself into an entry of ours, and went with it. */
  removedWithOurs: Changed[];
}

/** Nothing to do, and nothing to say. */
export const NOTHING = {
  entries: [],
  made: [],
  userEntries: [],
  changed: [],
  forbidden: [],
  removedWithOurs: [],
};

/**
 * Brings the text of a file from what setup has in it to what it shall have, and leaves all else as it is. What is there
 * already is not touched, what is replaced keeps its place, and what others changed of ours is left as they want it.
 * @param text undefined where there is no file
 * @throws Unreadable for a file that cannot be read, or cannot be changed safely
 */
export function reconcile(text: string | undefined, ours: Ours, requested: readonly Entry[]): Reconciled {
  const [first] = [...requested, ...ours.entries];
  if (first === undefined || first.format === 'text') return wholeFile(text, ours, requested);
  // Who takes the whole file away has no request about a part of it: setup begins anew.
  if (text === undefined && ours.entries.length > 0)
    return requested.length === 0
      ? { ...NOTHING, text }
      : reconcile(text, { ...ours, entries: [], made: [] }, requested);
  const mark = text?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const file = new SettingsEditor(text?.slice(mark.length) ?? '', FORMATS[first.format], ours);
  for (const entry of requested) file.enter(entry, ours, requested);
  for (const entry of ours.entries)
    if (!requested.some((each) => isSamePlace(each, entry))) file.remove(entry);
  file.removeEmptyGroups();
  const { entries, made, userEntries, changed, forbidden, removedWithOurs } = file;
  const isGone = !ours.existed && entries.length === 0 && file.isEmpty(ours);
  return {
    text: isGone ? undefined : mark + file.text,
    entries,
    made,
    userEntries,
    changed,
    forbidden,
    removedWithOurs,
  };
}

const BYTE_ORDER_MARK = '\uFEFF';

function wholeFile(text: string | undefined, ours: Ours, [entry]: readonly Entry[]): Reconciled {
  const [old] = ours.entries;
  const isOurs = text === undefined || text === old?.value;
  // What was changed stays on the list, so that it is said each time.
  const left = old && !isOurs ? { entries: [old], changed: [{ ...old, names: [] }] } : {};
  if (!entry) return { ...NOTHING, text: isOurs ? undefined : text, ...left };
  if (isOurs || (old && text === entry.value))
    return { ...NOTHING, text: String(entry.value), entries: [entry] };
  return { ...NOTHING, text, ...(old ? left : { userEntries: [entry] }) };
}
