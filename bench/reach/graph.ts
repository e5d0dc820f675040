import type { Server } from './mcp.ts';
import { type Agent, textOf, textOfChange } from './memory.ts';
import type { Record } from './set.ts';
import { rarest, searchWords } from './words.ts';

/** Searches at a moment: one for each word, since these servers look for a query as one piece of text. */
export const SEARCHES = 3;

/** Saves each topic as an entity of a knowledge graph; one decided twice gets its newer text as observations, too. */
export async function saveEntities(server: Server, records: Record[]): Promise<void> {
  const entities = entitiesOf(records);
  // The most that one of the servers takes in a call.
  for (let at = 0; at < entities.length; at += 50)
    await server.call('create_entities', { entities: entities.slice(at, at + 50) });
}

/** An agent that at each moment searches for the words of it that the fewest entities contain. */
export function searching(server: Server, records: Record[]): Agent {
  const texts = entitiesOf(records).map((entity) => JSON.stringify(entity).toLowerCase());
  return atEachMoment(server, async (text) => {
    const said: string[] = [];
    for (const { word } of rarest(searchWords(text), texts).slice(0, SEARCHES))
      said.push(await server.call('search_nodes', { query: word }));
    return said.join('\n');
  });
}

/** An agent that asks a server with the text of each moment; of a read, with the parts of the path. */
export function atEachMoment(
  { definitions, close }: Server,
  ask: (text: string) => Promise<string>,
  begin: () => Promise<string> = async () => '',
): Agent {
  return {
    ...{ definitions, close, begin },
    prompt: ask,
    read: (file) => ask(file.replaceAll('/', ' ')),
    change: (change) => ask(textOfChange(change)),
    fail: ({ command, output }) => ask(`${command}\n${output}`),
  };
}

function entitiesOf(records: Record[]) {
  const entities = new Map<string, { name: string; entityType: string; observations: string[] }>();
  for (const record of records.toSorted((a, b) => b.days_ago - a.days_ago)) {
    const { title, kind, text } = textOf(record);
    const observations = [...(entities.get(title)?.observations ?? []), ...text.split('\n')];
    entities.set(title, { name: title, entityType: kind, observations });
  }
  return [...entities.values()];
}
