type Result = Record<string, unknown>;

/**
 * A result with more warnings than its operation gave.
 * @param first what its reader should know before them
 * @param last what is shown after them
 */
export function withWarnings(
  result: Result,
  { first = [], last = [] }: { first?: string[]; last?: string[] },
): Result {
  if (first.length + last.length === 0) return result;
  const own = Array.isArray(result.warnings) ? result.warnings : [];
  return { ...result, warnings: [...first, ...own, ...last] };
}
