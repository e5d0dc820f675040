import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type McpHttpHandler,
  McpServer,
  ResourceTemplate,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

/** The smallest picture and the smallest sound. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const NAME = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const } },
  required: ['name'],
};
/** The schema that one scenario wants to see again as it is. */
const ADDRESSES = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const codec = createRequestStateCodec<string>({ key: new Uint8Array(32).fill(7) });
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const elicit = (message: string, requestedSchema: object) =>
  inputRequired.elicit({ message, requestedSchema: requestedSchema as typeof NAME });
const sample = (text: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });
type Context = ServerContext;

/** A server with what the conformance scenarios call: the tools of the product are not what they test (H-4). */
export function conformanceServer(notify: McpHttpHandler['notify']): McpServer {
  const server = new McpServer(
    { name: 'precedent', version: '0.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
        completions: {},
      },
      requestState: { verify: codec.verify },
    },
  );
  addTools(server, notify);
  addRounds(server);
  addResources(server);
  addPrompts(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}

function addTools(server: McpServer, notify: McpHttpHandler['notify']): void {
  const tool = (name: string, run: (context: Context) => unknown) =>
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, (async (
      _: unknown,
      context: Context,
    ) => run(context)) as never);
  tool('test_simple_text', () => said('This is a simple text response for testing.'));
  const image = { type: 'image', data: PNG, mimeType: 'image/png' };
  tool('test_image_content', () => ({ content: [image] }));
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  const resource = (uri: string, mimeType: string, text: string) => ({
    type: 'resource',
    resource: { uri, mimeType, text },
  });
  tool('test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  const mixed = resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}');
  tool('test_multiple_content_types', () => ({
    content: [{ type: 'text', text: 'Multiple content types test:' }, image, mixed],
  }));
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tool('test_tool_with_logging', async ({ mcpReq }) => {
    for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', text);
    }
    return said('logged');
  });
  tool('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'logged');
    return said('logged');
  });
  tool('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
    }
    return said('done');
  });
  tool('test_trigger_tool_change', () => {
    notify.toolsChanged();
    return said('changed');
  });
  tool('test_trigger_prompt_change', () => {
    notify.promptsChanged();
    return said('changed');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'A schema with rare words', inputSchema: asItIs(ADDRESSES) },
    async () => said('ok'),
  );
}

/** Tools that need the client's answer, which it sends with the same call once more. */
function addRounds(server: McpServer): void {
  const tool = (name: string, run: (context: Context) => unknown) =>
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, (async (
      _: unknown,
      context: Context,
    ) => run(context)) as never);
  const name = () => elicit('What is your name?', NAME);
  const roots = () => inputRequired.listRoots();
  tool('test_input_required_result_elicitation', ({ mcpReq }) => {
    const given = acceptedContent<{ name?: unknown }>(mcpReq.inputResponses, 'user_name');
    if (typeof given?.name === 'string') return said(`Hello, ${given.name}!`);
    return inputRequired({ inputRequests: { user_name: name() } });
  });
  tool('test_streaming_elicitation', () => inputRequired({ inputRequests: { user_name: name() } }));
  const capital = () => sample('What is the capital of France?', 100);
  tool('test_input_required_result_sampling', ({ mcpReq }) =>
    mcpReq.inputResponses?.capital_question
      ? said(JSON.stringify(mcpReq.inputResponses.capital_question))
      : inputRequired({ inputRequests: { capital_question: capital() } }),
  );
  tool('test_missing_capability', () => inputRequired({ inputRequests: { question: capital() } }));
  tool('test_input_required_result_capabilities', ({ mcpReq }) => {
    const envelope = mcpReq.envelope as Record<string, Record<string, unknown>> | undefined;
    const can = envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
    return inputRequired({
      inputRequests: {
        ...(can.sampling !== undefined && { question: capital() }),
        ...(can.elicitation !== undefined && { user_name: name() }),
      },
    });
  });
  tool('test_input_required_result_list_roots', ({ mcpReq }) =>
    mcpReq.inputResponses?.client_roots
      ? said(JSON.stringify(mcpReq.inputResponses.client_roots))
      : inputRequired({ inputRequests: { client_roots: roots() } }),
  );
  const confirm = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };
  for (const each of ['request_state', 'tampered_state'])
    tool(`test_input_required_result_${each}`, async (context) =>
      context.mcpReq.inputResponses?.confirm
        ? said('state-ok')
        : inputRequired({
            inputRequests: { confirm: elicit('Please confirm', confirm) },
            requestState: await codec.mint('confirm', context),
          }),
    );
  tool('test_input_required_result_multiple_inputs', async (context) => {
    const given = context.mcpReq.inputResponses;
    if (given?.user_name && given.greeting && given.client_roots) return said(JSON.stringify(given));
    const greeting = sample('Generate a greeting', 50);
    return inputRequired({
      inputRequests: { user_name: name(), greeting, client_roots: roots() },
      requestState: await codec.mint('all', context),
    });
  });
  const color = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] };
  tool('test_input_required_result_multi_round', async (context) => {
    const given = context.mcpReq.inputResponses;
    if (given?.step2) return said('all rounds are done');
    return inputRequired({
      inputRequests: given?.step1
        ? { step2: elicit('Step 2: What is your favorite color?', color) }
        : { step1: elicit('Step 1: What is your name?', NAME) },
      requestState: await codec.mint(given?.step1 ? 'two' : 'one', context),
    });
  });
}

function addResources(server: McpServer): void {
  const text = { description: 'A text', mimeType: 'text/plain' };
  for (const [name, uri, content] of [
    ['static-text', 'test://static-text', 'This is the content of the static text resource.'],
    ['watched-resource', 'test://watched-resource', 'It is watched.'],
  ] as const)
    server.registerResource(name, uri, text, async () => ({
      contents: [{ uri, mimeType: 'text/plain', text: content }],
    }));
  const uri = 'test://static-binary';
  server.registerResource(
    'static-binary',
    uri,
    { description: 'A picture', mimeType: 'image/png' },
    async () => ({
      contents: [{ uri, mimeType: 'image/png', blob: PNG }],
    }),
  );
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { description: 'A template' }, async ({ href }, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(data) }] };
  });
}

function addPrompts(server: McpServer): void {
  const user = (content: object) => ({
    role: 'user' as const,
    content: content as { type: 'text'; text: string },
  });
  const text = (words: string) => user({ type: 'text', text: words });
  server.registerPrompt('test_simple_prompt', { description: 'A text' }, async () => ({
    messages: [text('This is a simple prompt for testing.')],
  }));
  const two = z.object({ arg1: z.string().describe('First'), arg2: z.string().describe('Second') });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Two arguments', argsSchema: two },
    async ({ arg1, arg2 }) => ({ messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      return {
        messages: [user({ type: 'resource', resource }), text('Please process the embedded resource above.')],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A picture' }, async () => ({
    messages: [
      user({ type: 'image', data: PNG, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  }));
  const context = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] };
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (async ({
    mcpReq,
  }: Context) =>
    mcpReq.inputResponses?.user_context
      ? { messages: [text(JSON.stringify(mcpReq.inputResponses.user_context))] }
      : inputRequired({
          inputRequests: { user_context: elicit('What context should the prompt use?', context) },
        })) as never);
}

/** A JSON schema as a tool publishes it, which takes every input. */
function asItIs(schema: Record<string, unknown>): StandardSchemaWithJSON<unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
