/** The text about this server that a client shows its model. Under 2 kB, since some clients cut longer ones. */
export const INSTRUCTIONS = `Precedent is the memory of why: decisions with their reasons, history, evidence and outcomes, kept across sessions and shared by all agents on this repository.

When to use it
- Before you decide or change anything of consequence: mama_search with a few telling words, in the language the team writes. What stands comes first. Heed outcome_warning, earlier_failure and failed_basis: that was tried and failed.
- Starting a task: recall, with the task and its domain. decision_retrieve gives all that binds a domain, mama_load_checkpoint where work stood.
- As soon as something is settled: mama_save with topic, decision and reasoning. Use a stable topic in lower case ("auth:token"): the same topic supersedes the decision before it, so search first and reuse its topic.
- Say what it rests on inside reasoning: "builds_on: <id>", "debates: <id>", "synthesizes: [<id>, <id>]". Attach measurements and quotes as evidence.
- Knowledge that is no decision (how something works, a bug and its cause): mem_save, then mem_relate; mem_search and mem_build_context find it again.
- After a message of substance: keywords_record. Asked to note or remember (메모, 기억해): memo_save; for more (더 찾아): memo_expand, once a request.
- When you learn how it went: mama_update with success, failed or partial, and the reason.
- Before you stop: mama_save with type "checkpoint".

How to read results
- A decision holds for its scope (a domain, or "global"). axis shapes everything, lock must not be broken, normal may be revised with a reason.
- is_current false: superseded_by stands, or it was withdrawn. decision_get shows a whole chain with evidence and links.
- warnings in an answer say what was ignored or what failed before: act on them.

Save rules and reasons, not chatter. Put secrets in <private>…</private>: they are redacted before anything is stored.`;

/** The instructions, without the lines that mention tools which are not offered. */
export function instructionsFor(offered: readonly string[], all: readonly string[]): string {
  const missing = all.filter((name) => !offered.includes(name));
  const mentions = (line: string, name: string) => new RegExp(`\\b${name}\\b`).test(line);
  return INSTRUCTIONS.split('\n')
    .filter((line) => !missing.some((name) => mentions(line, name)))
    .join('\n');
}
