/** What the groups are about: the first word of a command that has two. */
export const GROUPS: Record<string, string> = {
  mama: 'decisions by topic: save, search, outcome, checkpoint',
  decision: 'decisions by id: save, revise, read, retrieve by tiers',
  topic: 'names of topics',
  scope: 'names of scopes',
  list: 'what there is: decisions that stand, observations, memos, topics, scopes, authors',
  author: 'who wrote in this memory',
  evidence: 'the grounds of decisions',
  anchor: 'reminders that point at decisions and evidence',
  mem: 'observations and the relations between them',
  changed: 'whether anything is new',
  briefing: 'what hooks tell agents unasked',
  keyword: 'keywords and how strongly they are connected',
  keywords: 'the keyword graph: what messages are about',
  memo: 'memos about keywords, explored step by step',
  token: 'who may use a server: add, list, revoke',
  workspace: 'the memories on this machine or server: rename, alias, remove',
};

/** What the first help shows, and in which order: commands with a line each, then names alone. */
export const EVERY_DAY = ['decide', 'why', 'failed', 'search', 'note', 'recall'];
export const LOOK = ['show', 'list', 'log', 'activity', 'history', 'diff', 'topics', 'scopes', 'authors'];
export const AGENTS = ['setup', 'unsetup', 'mcp', 'serve', 'token', 'trigger'];
export const CARE = [
  'undo',
  'edit',
  'rename',
  'doctor',
  'workspaces',
  'backup',
  'restore',
  'export',
  'import',
  'batch',
  'copy',
  'redact',
  'migrate',
  'embed',
  'completion',
];
/** What stands above by another word, or is for programs: the first help does without. */
export const ELSEWHERE = ['save', 'timeline', 'briefing'];
