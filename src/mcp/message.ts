import { isUtf8 } from 'node:buffer';
import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { countValues } from '../domain/text/json.ts';
import { type Line, LONGEST, TOO_LONG } from '../domain/text/lines.ts';

/** Lists, objects and their members in a message. Millions of them, or of levels, take a parser gigabytes. */
export const MOST = 100_000;

const BATCH =
  'a batch. Send each message in a line of its own: the protocol has no batches since its version 2025-06-18';

/** A line as its receiver takes it: a message, or why it is not one. */
type Received = { message: JSONRPCMessage } | { refusal: Refusal };

interface Refusal {
  /** For the log: nothing of the line itself. */
  why: string;
  /** For the sender; undefined where the protocol allows no answer. */
  answer: ErrorAnswer | undefined;
}

/** As JSON-RPC 2.0 has it: `id` is null where the message did not say which request it was. */
interface ErrorAnswer {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/** Reads a line as a message of JSON-RPC. @returns undefined for an empty line */
export function readMessage(line: Line): Received | undefined {
  if (line === TOO_LONG) return refused(ProtocolErrorCode.InvalidRequest, `at most ${LONGEST} bytes`, 'more');
  const values = countValues(line);
  if (values > MOST) return refused(ProtocolErrorCode.InvalidRequest, `at most ${MOST} values`, `${values}`);
  const text = line.toString('utf8');
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(ProtocolErrorCode.ParseError, 'JSON', `${line.length} bytes that are not JSON`);
  }
  if (!isUtf8(line)) return refused(ProtocolErrorCode.ParseError, 'UTF-8', 'other bytes', value);
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    const found = Array.isArray(value) ? BATCH : 'other JSON';
    return refused(ProtocolErrorCode.InvalidRequest, 'one message of JSON-RPC 2.0', found, value);
  }
}

/** @param value the message, as far as it could be read */
function refused(code: number, expected: string, found: string, value?: unknown): { refusal: Refusal } {
  const why = `Expected ${expected} in a line, found ${found}.`;
  const answer = isAnswer(value)
    ? undefined
    : { jsonrpc: '2.0' as const, id: requestId(value), error: { code, message: why } };
  return { refusal: { why, answer } };
}

/** What answers is never answered: its sender would take that for the answer to a request of its own. */
function isAnswer(value: unknown): boolean {
  return isObject(value) && !('method' in value) && ('result' in value || 'error' in value);
}

function requestId(value: unknown): string | number | null {
  if (!isObject(value) || !('method' in value)) return null;
  const { id } = value;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
