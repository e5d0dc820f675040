/** Before this, a number of milliseconds would lie in 1973: it is one of seconds. */
const SECONDS = 1e11;

/** Milliseconds of a time that early versions wrote in seconds. */
export function timeOf(value: unknown): number {
  const time = Number(value);
  if (!Number.isFinite(time)) return 0;
  return Math.trunc(time < SECONDS ? time * 1000 : time);
}

/** A text that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A JSON list as texts; what is none is one text. */
export function listOf(value: unknown): string[] {
  const text = textOf(value);
  if (text === undefined) return [];
  const parsed = parse(text);
  const list = Array.isArray(parsed) ? parsed : [text];
  return list
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .filter((each) => each !== undefined && each.trim() !== '');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
