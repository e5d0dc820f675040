import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export interface Server {
  /** Calls a tool. @returns what the model is shown; a refusal is thrown */
  call(tool: string, input?: object): Promise<string>;
  /** Its tools (name, description, input) and its instructions, as a model has them. */
  definitions: string;
  close(): Promise<void>;
}

/** Starts an MCP server. @param env what it gets besides `PATH` and `HOME` */
export async function startServer(
  command: string,
  args: string[],
  { env = {}, cwd }: { env?: { [name: string]: string }; cwd: string },
): Promise<Server> {
  const client = new Client({ name: 'reach', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, cwd, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    async call(tool, input = {}) {
      const { content, structuredContent, isError } = await client.callTool({
        name: tool,
        arguments: { ...input },
      });
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
      if (isError) throw new Error(`${tool}: ${text}`);
      // Agents show the one or the other: the shorter one is to the server's credit.
      const structured = structuredContent === undefined ? text : JSON.stringify(structuredContent);
      return structured.length < text.length ? structured : text;
    },
    definitions: [...seen.map((tool) => JSON.stringify(tool)), client.getInstructions() ?? ''].join('\n'),
    close: () => client.close(),
  };
}
