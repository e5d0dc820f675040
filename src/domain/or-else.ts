/** What a function gives, or something else where it throws. */
export function orElse<Value, Other>(run: () => Value, other: Other): Value | Other {
  try {
    return run();
  } catch {
    return other;
  }
}
