import { globSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** The folders whose folders are rooms of their own; `store` is the room of the files directly in that folder. */
const HOUSES = ['domain', 'store', 'operations'];
/** Every room of the domain. */
export const DOMAIN = [
  'domain',
  'domain/text',
  'domain/language',
  'domain/ranking',
  'domain/reasoning',
  'domain/names',
  'domain/copies',
  'domain/prompt',
  'domain/filter',
  'domain/import',
];
/** The families never import each other; search stands on those of the store, maintenance on search. */
const FAMILIES = ['decisions', 'observations', 'memos'];
export const FAMILIES_OF_STORE = FAMILIES.map((family) => `store/${family}`);
export const FAMILIES_OF_OPERATIONS = FAMILIES.map((family) => `operations/${family}`);
const STORE = [
  'store',
  ...FAMILIES_OF_STORE,
  'store/search',
  'store/lists',
  'store/export',
  'store/kinds',
  'store/undo',
  'store/invariants',
  'store/maintenance',
  'store/merge',
  'store/migrations',
  'store/past',
];
/** What several operations share. */
const PARTS = ['operations/fields', 'operations/results', 'operations/lists'];
/** Every room of an engine: a new one is found by its file engine.ts. */
export const ENGINES = globSync('src/store/*/engine.ts').map(room);
const each = (rooms: string[], mayImport: string[]) =>
  Object.fromEntries(rooms.map((name) => [name, mayImport]));
/** What each room may import, besides itself. */
export const MAY_IMPORT: Record<string, string[]> = {
  'domain/text': [],
  domain: ['domain/text'],
  'domain/language': ['domain', 'domain/text'],
  'domain/ranking': ['domain'],
  'domain/names': ['domain', 'domain/text', 'domain/language', 'domain/prompt'],
  'domain/copies': ['domain/text', 'domain/language', 'domain/ranking'],
  'domain/prompt': ['domain', 'domain/text', 'domain/language', 'domain/ranking'],
  'domain/filter': ['domain', 'domain/text'],
  'domain/import': ['domain', 'domain/text'],
  'domain/reasoning': ['domain', 'domain/text', 'domain/language'],
  // What is read of a stranger's files, and how.
  files: ['domain'],
  // The one door to git, and what is asked through it.
  git: ['domain', 'domain/text', 'files'],
  store: DOMAIN,
  'store/migrations': [...DOMAIN, 'store'],
  'store/kinds': [...DOMAIN, 'store', ...FAMILIES_OF_STORE],
  'store/past': [...DOMAIN, 'store', 'store/decisions', 'store/kinds', 'store/search'],
  ...each(ENGINES, [...DOMAIN, 'files', 'store', 'store/migrations']),
  ...each(FAMILIES_OF_STORE, [...DOMAIN, 'store']),
  'store/search': [...DOMAIN, 'store', ...FAMILIES_OF_STORE, 'store/kinds'],
  'store/lists': [...DOMAIN, 'store', ...FAMILIES_OF_STORE, 'store/kinds'],
  'store/export': [...DOMAIN, 'store', ...FAMILIES_OF_STORE, 'store/kinds', 'store/lists'],
  'store/undo': [...DOMAIN, 'store', ...FAMILIES_OF_STORE, 'store/kinds', 'store/search'],
  'store/invariants': [...DOMAIN, 'store', ...FAMILIES_OF_STORE, 'store/kinds'],
  'store/maintenance': [
    ...DOMAIN,
    'store',
    ...FAMILIES_OF_STORE,
    'store/kinds',
    'store/search',
    'store/invariants',
    'store/migrations',
  ],
  'store/merge': [
    ...DOMAIN,
    'store',
    ...FAMILIES_OF_STORE,
    'store/kinds',
    'store/search',
    'store/invariants',
  ],
  interchange: [...DOMAIN, ...STORE, 'files', 'git', 'agents'],
  sync: [...DOMAIN, ...STORE, 'files', 'git'],
  embedding: [...DOMAIN, 'files'],
  'operations/fields': DOMAIN,
  'operations/results': [...DOMAIN, ...STORE, 'operations'],
  'operations/lists': [...DOMAIN, ...STORE, 'operations', 'operations/fields', 'operations/results'],
  'operations/briefing': [...DOMAIN, ...STORE, 'operations/results'],
  'operations/hooks': [...DOMAIN, ...STORE, 'operations', ...PARTS, 'operations/briefing'],
  'operations/entries': [...DOMAIN, ...STORE, 'operations', 'operations/results'],
  // A search that finds nothing says what other kinds have (RE-8).
  ...each(FAMILIES_OF_OPERATIONS, [...DOMAIN, ...STORE, 'operations', ...PARTS, 'operations/entries']),
  'operations/review': [...DOMAIN, ...STORE, 'operations', ...PARTS],
  'operations/reads': [...DOMAIN, ...STORE, 'operations', ...PARTS, ...FAMILIES_OF_OPERATIONS],
  operations: [
    ...DOMAIN,
    ...STORE,
    ...PARTS,
    'operations/hooks',
    'operations/entries',
    ...FAMILIES_OF_OPERATIONS,
    'operations/reads',
    'operations/review',
  ],
  memory: [
    ...DOMAIN,
    'files',
    ...STORE,
    ...ENGINES,
    'interchange',
    'sync',
    'embedding',
    'operations',
    'operations/briefing',
  ],
  // Of interchange and sync the types alone.
  index: [...DOMAIN, 'store', 'store/maintenance', 'interchange', 'sync', 'embedding', 'memory'],
  mcp: [...DOMAIN, 'operations', 'memory'],
  http: [...DOMAIN, 'operations', 'memory', 'mcp'],
  // The page runs in a browser: of the operations it has the types alone.
  page: ['domain', 'domain/filter', 'operations', ...FAMILIES_OF_OPERATIONS, 'operations/reads'],
  agents: [...DOMAIN, 'files'],
  cli: [...DOMAIN, 'files', 'git', 'operations', 'memory', 'mcp', 'http', 'agents'],
  hook: [...DOMAIN, 'files', 'git', 'operations/briefing', 'memory', 'agents', 'cli'],
};

/** The room of a file: its first folder in src/, in some its second too; at the root the file itself. */
export function room(file: string): string {
  const [first = '', second, third] = relative('src', file).split(sep);
  if (second === undefined) return first.replace(/\.tsx?$/, '');
  return HOUSES.includes(first) && third !== undefined ? `${first}/${second}` : first;
}
