/** `warning`: something was left out, and the call went on; or calls succeed again. `error`: a call failed for a reason its caller does not learn. */
export type LogLevel = 'warning' | 'error';

/** Receives what an operator should know, a message at a time. */
export type Log = (message: string, level: LogLevel) => void;
