const UUID = /^[0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}$/i;

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

/** The beginning of an id, long enough to mean one: at least four hexadecimal digits (U-1). */
export function isIdPrefix(reference: string): boolean {
  return /^[0-9a-f]{4}[0-9a-f-]*$/.test(reference);
}
