/**
 * Whether this version answers `precedent hook <agent>`. Setup enters hooks when it does: an agent that calls a command
 * which is not there may refuse its user's prompt.
 */
export const HOOK_EXISTS: boolean = false;

/** Seconds that an agent waits for a hook: five times what the hook itself allows. */
export const HOOK_TIMEOUT = 5;

/** The events of an agent that call the hook; each with what it must match, where the agent asks for that. */
export type Events = Readonly<Record<string, string | undefined>>;
