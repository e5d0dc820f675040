/** What the groups are about: the first word of a command that has two. */
export const GROUPS: Record<string, string> = {
  list: 'active decisions, notes, memos, topics, scopes, authors',
  topic: 'rename and join topics',
  scope: 'join scopes',
  delete: 'delete a note, a memo or a relation',
  undelete: 'bring a deleted note or memo back',
  token: 'who may use a server: add, list, revoke',
  workspace: 'the memories on this machine or server: rename, alias, remove',
  tool: 'The tools of agents as commands, for scripts. Each takes the fields of its tool, and --json.',
};

/** What the first help shows, and in which order: commands with a line each, then names alone. */
export const EVERY_DAY = ['decide', 'why', 'failed', 'note', 'recall', 'search'];
export const NAMED: Record<string, string> = {
  Look: 'show, list, log, history, diff, rules, related, activity, resume',
  Write: 'worked, partly, evidence, anchor, memo, expand, relate, checkpoint',
  Change: 'undo, edit, revise, withdraw, topic, scope, delete, undelete',
  Agents: 'setup, unsetup, mcp, serve, token, trigger',
  Care: 'doctor, workspaces, workspace, backup, restore, export, import, batch, copy, redact, migrate, embed, completion, demo, commands',
};
