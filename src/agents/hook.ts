/**
 * Whether setup enters hooks. `precedent hook <agent>` answers already, but takes more of the processor than A-3 allows
 * and was not tried with the real agents (ADR 0045): an agent must not wait for what is not proved.
 */
export const ENTERS_HOOKS: boolean = false;

/** Seconds that an agent waits for a hook: five times what the hook itself allows. */
export const HOOK_TIMEOUT = 5;

/** The events of an agent that call the hook; each with what it must match, where the agent asks for that. */
export type Events = Readonly<Record<string, string | undefined>>;
