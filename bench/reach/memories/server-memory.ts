import { join } from 'node:path';
import { startServer } from '../mcp.ts';
import { type Agent, type Memory, type Place, textOf, textOfChange } from '../memory.ts';
import { rarest, searchWords } from '../words.ts';

const PACKAGE = '@modelcontextprotocol/server-memory@2026.8.31';
/** Searches at a moment: one for each word, since a query is looked for as one piece of text. */
const SEARCHES = 3;

export const memories: Memory[] = [
  {
    name: 'server-memory, whole graph',
    rule: 'Each record is an entity; its README says to begin by retrieving all relevant information, which `read_graph` does at the start.',
    package: PACKAGE,
    isStateless: true,
    async open(place) {
      const { server } = await filled(place);
      const graph = await server.call('read_graph');
      const silent = async () => '';
      const { definitions, close } = server;
      return { ...{ definitions, close }, begin: async () => graph, ...moments(silent) };
    },
  },
  {
    name: 'server-memory, searches',
    rule: `The same entities; at each moment \`search_nodes\` with each of the ${SEARCHES} words of the prompt, edit, command, error or path that the fewest entities contain.`,
    package: PACKAGE,
    isStateless: true,
    async open(place) {
      const { server, texts } = await filled(place);
      const search = async (text: string) => {
        const words = rarest(searchWords(text), texts).slice(0, SEARCHES);
        const said: string[] = [];
        for (const { word } of words) said.push(await server.call('search_nodes', { query: word }));
        return said.join('\n');
      };
      const { definitions, close } = server;
      return { ...{ definitions, close }, begin: async () => '', ...moments(search) };
    },
  },
];

function moments(
  search: (text: string) => Promise<string>,
): Pick<Agent, 'prompt' | 'read' | 'change' | 'fail'> {
  return {
    prompt: search,
    read: (file) => search(file.replaceAll('/', ' ')),
    change: (change) => search(textOfChange(change)),
    fail: ({ command, output }) => search(`${command}\n${output}`),
  };
}

async function filled({ home, repository, set, installed }: Place) {
  const program = join(installed, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');
  const server = await startServer('node', [program], {
    env: { MEMORY_FILE_PATH: join(home, 'memory.jsonl') },
    cwd: repository,
  });
  // A topic decided twice is one entity, to which an observation is added, as its README says.
  const entities = new Map<string, { name: string; entityType: string; observations: string[] }>();
  for (const record of set.records.toSorted((a, b) => b.days_ago - a.days_ago)) {
    const { title, kind, text } = textOf(record);
    const entity = entities.get(title) ?? { name: title, entityType: kind, observations: [] };
    entities.set(title, {
      ...entity,
      entityType: kind,
      observations: [...entity.observations, ...text.split('\n')],
    });
  }
  await server.call('create_entities', { entities: [...entities.values()] });
  const texts = [...entities.values()].map((entity) => JSON.stringify(entity).toLowerCase());
  return { server, texts };
}
