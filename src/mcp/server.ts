import {
  type Tool as ListedTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { asPrecedentError, type PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { label } from '../domain/text/label.ts';
import { agentNamed } from '../domain/via.ts';
import type { MemoryCore } from '../memory/core.ts';
import type { Result } from '../operations/index.ts';
import { loadOperation } from '../operations/load.ts';
import { hidden, offered, type Tool } from '../operations/offered.ts';
import { instructionsFor, refusalFor } from './instructions.ts';
import type { Shown } from './shown.ts';

export interface ServerOptions {
  /** The tools to offer, in order. */
  tools: readonly Tool[];
  /** Set for a server that lives for one call: nobody reads its instructions. */
  isForOneCall?: boolean;
  /** Runs an operation; opens the memory when needed, since an unavailable one may come back. */
  call: MemoryCore['call'];
  version: string;
  /** Kept with every record that this connection writes (D-14); also its conversation (M-12). */
  session: string;
  /** The client, where it does not name itself with its call: over HTTP there is no start to remember. */
  client?: string;
  /** What clients were shown before, and by which name this one is remembered (RE-7). */
  shown: Shown;
  rememberedAs?: string;
  /** Receives what a client must not see of an internal error. */
  log: Log;
}

/**
 * A server with these tools, for both versions of the protocol. Listing tools needs no store. It is the library's
 * inner server: the outer one registers tools one by one, for each request anew, to check what each operation checks
 * itself, so that every face refuses with the same words (ADR 0055).
 */
export function createServer({
  tools,
  isForOneCall = false,
  call,
  version,
  session,
  client = 'unknown client',
  shown,
  rememberedAs = session,
  log,
}: ServerOptions): Server {
  const server = new Server(
    { name: 'precedent', title: 'Precedent', version },
    {
      capabilities: { tools: {}, prompts: {} },
      ...(!isForOneCall && { instructions: instructionsFor(namesOf(tools), EVERY) }),
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: listOf(tools) }));
  server.setRequestHandler('tools/call', async ({ params }, context: ServerContext) => {
    const { name, arguments: input = {} } = params;
    if (!tools.some((tool) => tool.name === name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`);
    try {
      const writer = { session, client: agentNamed(label(clientOf(server, context) ?? '') || client) };
      const notes: string[] = [];
      const isRecall = name === RECALL;
      const remembered = `${rememberedAs}:${writer.client}`;
      const given = isRecall ? { known: shown.to(remembered, Date.now()), ...input } : input;
      const result = await call(name, given, writer, (note) => notes.push(note));
      if (isRecall) shown.add(remembered, result, Date.now());
      const { toModel } = await loadOperation(name);
      return answer(toModel?.(result) ?? result, notes);
    } catch (error) {
      return refusal(asPrecedentError(error, log), namesOf(tools));
    }
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: [REVIEW] }));
  server.setRequestHandler('prompts/get', async ({ params }, context: ServerContext) => {
    const { name, arguments: { before } = {} } = params;
    if (name !== REVIEW.name)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Prompt ${name} not found`);
    try {
      const writer = { session, client: agentNamed(label(clientOf(server, context) ?? '') || client) };
      const asked = { ask: true, ...(before && { before }) };
      const { ask, left } = (await call('review', asked, writer)) as Result<'review'>;
      const { text, next } = ask ?? { text: '' };
      const to = tools.some((tool) => tool.name === MARKS)
        ? `Then call ${MARKS} with these lines.`
        : 'A person passes these lines to "precedent review --answers -".';
      const more = next === undefined ? '' : ` ${left} older saves wait: this prompt with before: ${next}.`;
      return { messages: [{ role: 'user', content: { type: 'text', text: `${text}\n\n${to}${more}` } }] };
    } catch (error) {
      const { message } = asPrecedentError(error, log);
      throw new ProtocolError(ProtocolErrorCode.InternalError, message);
    }
  });
  return server;
}

/** A prompt, which a person chooses as a command of their agent (TR-2). */
const REVIEW = {
  name: 'review',
  title: 'Review what agents saved',
  description: 'Find saves that wait for review and contradict or repeat others, or bind too much',
  arguments: [{ name: 'before', description: 'Go on with saves older than this one' }],
};
const MARKS = 'marks_save';

/** Only what it gave is remembered: a search gives names, too. */
const RECALL = 'recall';
const namesOf = (tools: readonly Tool[]) => tools.map(({ name }) => name);
/** The names of all operations, offered or not. */
const EVERY = [...namesOf(offered), ...hidden];

/** Tools as `tools/list` publishes them. */
function listOf(tools: readonly Tool[]): ListedTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.summary,
    inputSchema: tool.input as ListedTool['inputSchema'],
    annotations: annotationsOf(tool),
    ...metaOf(tool),
  }));
}

/**
 * The hints that differ from what a client assumes without them (RE-14); whether a read is idempotent has no meaning. Whether it
 * destroys is said of every tool: rules of clients match its value.
 */
function annotationsOf({ access, destructive, idempotent }: Tool): ListedTool['annotations'] {
  return {
    ...(access === 'read' ? { readOnlyHint: true } : idempotent && { idempotentHint: true }),
    destructiveHint: destructive,
    openWorldHint: false,
  };
}

/** What Claude Code reads: tools that it loads at once, and words by which it finds one of the others. */
function metaOf({ essential, searchHint }: Pick<Tool, 'essential' | 'searchHint'>) {
  if (essential) return { _meta: { 'anthropic/alwaysLoad': true } };
  return searchHint === null ? {} : { _meta: { 'anthropic/searchHint': searchHint } };
}

/**
 * The result once, as JSON text, which every client shows its model: one that shows the structured part too would take
 * room for it twice, and some turn a success into an error where that differs from a published schema.
 * @param notes in texts of their own, since the shape of a result is fixed (M-7)
 */
function answer(result: Record<string, unknown>, notes: string[]) {
  return { content: [JSON.stringify(result), ...notes].map((text) => ({ type: 'text' as const, text })) };
}

/** A refusal is a result, so that the model reads it and corrects itself. It names the memory that was asked (K-3). */
function refusal({ code, message, workspace }: PrecedentError, tools: readonly string[]) {
  const where = workspace === undefined ? '' : `\nworkspace ${workspace}`;
  return {
    isError: true,
    content: [{ type: 'text' as const, text: `${code}: ${refusalFor(message, tools, EVERY)}${where}` }],
  };
}

/** The client as it names itself: with each request in the newer protocol, at the start in the older one; else undefined. */
function clientOf(server: Server, context: ServerContext): string | undefined {
  const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
  const named = envelope?.['io.modelcontextprotocol/clientInfo'] ?? server.getClientVersion();
  if (named === null || typeof named !== 'object') return undefined;
  const { name, version } = named as { name?: unknown; version?: unknown };
  return [name, version].filter((part) => typeof part === 'string').join(' ') || undefined;
}
