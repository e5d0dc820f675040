import { greeting, isThanks, listing } from './greeting.ts';
import type { TooLong } from './lines.ts';
import type { Tool } from './offered.ts';

/** Bytes of the longest line that is looked at here. */
const LONGEST_HELLO = 10_000;

type Line = Buffer | TooLong;

/** What a client has said before the server is needed. */
interface Opening {
  /** What the server has to learn: what was answered for it, and the first line that it has to answer. */
  lines: Line[];
  /** The request among these that was answered. */
  answered: string | number | undefined;
}

interface Opener {
  tools: readonly Tool[];
  version: string;
  /** Answers a request. */
  send: (answer: object) => void;
}

/**
 * Answers what every client asks first, what this server is and which tools it has, and leaves all else to the server: the
 * protocol's library takes twice as long to be loaded as Node itself, and a client waits for these two (ADR 0070).
 * @returns when the tools were listed, or with the first line that is neither; undefined when the lines end before
 */
export async function open(
  lines: AsyncIterator<Line>,
  { tools, version, send }: Opener,
): Promise<Opening | undefined> {
  const opening: Opening = { lines: [], answered: undefined };
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) return undefined;
    const message = read(line);
    if (opening.answered === undefined) {
      opening.lines.push(line);
      const hello = greeting(message, tools, version);
      if (!hello) return opening;
      send(hello);
      opening.answered = (message as { id: string | number }).id;
      continue;
    }
    const list = listing(message, tools);
    if (list) {
      send(list);
      return opening;
    }
    opening.lines.push(line);
    if (!isThanks(message)) return opening;
  }
}

/** A line as JSON; undefined for one that the server has to judge. */
function read(line: Line): unknown {
  if (!Buffer.isBuffer(line) || line.length > LONGEST_HELLO) return undefined;
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
