import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { instructionsFor } from './instructions.ts';
import { offered, type Tool } from './offered.ts';
import { publishedTool } from './published-tool.ts';

/** The versions of the protocol that begin with `initialize`; whoever asks for another one is offered the first. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** What a server says of itself, to whichever client. */
export const infoOf = (version: string) => ({ name: 'precedent', title: 'Precedent', version });

/** What a server can do. */
export const CAPABILITIES = { tools: { listChanged: true } };

/** The instructions of a server with these tools. */
export const instructionsOf = (tools: readonly Tool[]) =>
  instructionsFor(
    tools.map(({ name }) => name),
    offered.map(({ name }) => name),
  );

interface Request {
  id: string | number;
  method: string;
  params?: unknown;
}

/**
 * The answer to `initialize`, as the protocol's library would give it.
 * @param version that of this program
 * @returns undefined for any message that only the library can judge
 */
export function greeting(message: unknown, tools: readonly Tool[], version: string): object | undefined {
  if (!isRequest(message, 'initialize') || !isHello(message.params)) return undefined;
  const { protocolVersion } = message.params;
  const result = {
    protocolVersion: VERSIONS.includes(protocolVersion) ? protocolVersion : VERSIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: infoOf(version),
    instructions: instructionsOf(tools),
  };
  return { result, jsonrpc: '2.0', id: message.id };
}

/** The answer to `tools/list`, in the same way. */
export function listing(message: unknown, tools: readonly Tool[]): object | undefined {
  if (!isRequest(message, 'tools/list') || !isBare(message.params)) return undefined;
  return { result: { tools: listOf(tools) }, jsonrpc: '2.0', id: message.id };
}

/** Tools as `tools/list` publishes them. */
export function listOf(tools: readonly Tool[]): ListedTool[] {
  return tools.map((tool) => {
    const { description, ...published } = publishedTool(tool);
    const inputSchema = tool.input as ListedTool['inputSchema'];
    return { name: tool.name, description, inputSchema, ...published };
  });
}

/** What a client says when it has read the greeting. */
export function isThanks(message: unknown): boolean {
  return (
    has(message, ['jsonrpc', 'method', 'params']) &&
    message.jsonrpc === '2.0' &&
    message.method === 'notifications/initialized' &&
    (message.params === undefined || has(message.params, []))
  );
}

function isRequest(message: unknown, wanted: string): message is Request {
  if (!has(message, ['jsonrpc', 'id', 'method', 'params'])) return false;
  const { jsonrpc, id, method } = message;
  return jsonrpc === '2.0' && method === wanted && isToken(id);
}

/** What clients say of themselves and can do, in the forms that are in use: none that the library might refuse. */
function isHello(params: unknown): params is { protocolVersion: string } {
  if (!has(params, ['protocolVersion', 'capabilities', 'clientInfo', '_meta'])) return false;
  const { protocolVersion, capabilities, clientInfo, _meta } = params;
  return (
    typeof protocolVersion === 'string' &&
    isMeta(_meta) &&
    has(clientInfo, ['name', 'version', 'title', 'websiteUrl', 'description']) &&
    ['name', 'version'].every((member) => member in clientInfo) &&
    Object.values(clientInfo).every((text) => typeof text === 'string') &&
    has(capabilities, Object.keys(CLIENT_CAPABILITIES)) &&
    Object.entries(capabilities).every(([name, value]) => CLIENT_CAPABILITIES[name]?.(value))
  );
}

const CLIENT_CAPABILITIES: Record<string, (value: unknown) => boolean> = {
  roots: (value) =>
    has(value, ['listChanged']) && Object.values(value).every((changes) => typeof changes === 'boolean'),
  sampling: (value) => has(value, ['context', 'tools']) && Object.values(value).every(isObject),
  elicitation: (value) => has(value, ['form', 'url']) && Object.values(value).every((kind) => has(kind, [])),
  experimental: (value) => isObject(value) && Object.values(value).every(isObject),
  extensions: (value) => isObject(value) && Object.values(value).every(isObject),
};

/** The parameters of a request that has none. */
function isBare(params: unknown): boolean {
  return params === undefined || (has(params, ['_meta']) && isMeta(params._meta));
}

/** What some clients add to each request: a token for progress, and there is no progress here. */
function isMeta(meta: unknown): boolean {
  return meta === undefined || (has(meta, ['progressToken']) && Object.values(meta).every(isToken));
}

function isToken(id: unknown): boolean {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

type Members = Record<string, unknown>;

/** Whether it is an object with no members but these. */
function has(value: unknown, members: string[]): value is Members {
  return isObject(value) && Object.keys(value).every((member) => members.includes(member));
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
