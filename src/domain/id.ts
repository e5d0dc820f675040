const UUID = /^[0-9a-fA-F]{8}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{4}[-_][0-9a-fA-F]{12}$/;

/**
 * The stored ids that a reference may mean, the most literal first. Agents write a decision's UUID bare, as
 * `decision_<uuid>`, or with underscores for hyphens, and markdown may leave underscores at its end. Imported decisions
 * keep ids of the form `decision_…`.
 */
export function idCandidates(reference: string): string[] {
  let trimmed = reference.trim();
  while (trimmed.endsWith('_')) trimmed = trimmed.slice(0, -1);
  const bare = trimmed.replace(/^decision_/i, '');
  const candidates = [reference.trim(), trimmed];
  if (UUID.test(bare)) candidates.push(bare.replaceAll('_', '-').toLowerCase());
  return [...new Set(candidates)];
}

/** Whether an id is a UUID as the store makes them. */
export function isUuid(id: string): boolean {
  return /^[0-9a-f-]{36}$/.test(id) && UUID.test(id);
}

/** Hexadecimal digits of an id's beginning at least, and in reasoning, where other words are around it (U-1). */
const PREFIX_DIGITS = 4;
export const PREFIX_DIGITS_IN_REASONING = 8;

/** The beginning of an id, in lower case and long enough to mean one (U-1). */
export function isIdPrefix(reference: string, digits = PREFIX_DIGITS): boolean {
  return new RegExp(`^[0-9a-f]{${digits}}[0-9a-f-]*$`).test(reference);
}

/** As a sentence to append where nothing was found: that this would begin an id if it were longer (U-1); else empty. */
export function tooShort(reference: string): string {
  const isShort = /^[0-9a-f]+$/i.test(reference.trim()) && reference.trim().length < PREFIX_DIGITS;
  return isShort ? ` An id prefix has at least ${PREFIX_DIGITS} digits.` : '';
}

/** The ids of records, in their order. */
export const idsOf = <Id>(records: readonly { id: Id }[]): Id[] => records.map(({ id }) => id);
/** Their numbers in the list of records. */
export const seqsOf = (records: readonly { seq: number }[]): number[] => records.map(({ seq }) => seq);

/** A new UUID v4 for a record. `node:crypto` is loaded on use: whoever only reads has no use for it, and it takes 6 ms. */
export function newId(): string {
  return process.getBuiltinModule('node:crypto').randomUUID();
}
