import type { Tool } from './offered.ts';

/** A tool as a server publishes it, but for its input. */
export function publishedTool({ access, destructive, idempotent, essential, searchHint, summary }: Tool) {
  return {
    description: summary,
    // All four: some clients run only tools that have every annotation.
    annotations: {
      readOnlyHint: access === 'read',
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
    ...metaOf({ essential, searchHint }),
  };
}

/** What Claude Code reads: tools that it loads at once, and words by which it finds one of the others. */
function metaOf({ essential, searchHint }: Pick<Tool, 'essential' | 'searchHint'>) {
  if (essential) return { _meta: { 'anthropic/alwaysLoad': true } };
  return searchHint === null ? {} : { _meta: { 'anthropic/searchHint': searchHint } };
}
