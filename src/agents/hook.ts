/** Seconds that an agent waits for a hook: more than three times what the hook itself allows. */
export const HOOK_TIMEOUT = 5;

/** The events of an agent that call the hook; each with what it must match, where the agent asks for that. */
export type Events = Readonly<Record<string, string | undefined>>;
