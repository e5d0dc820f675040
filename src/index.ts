export { type ErrorCode, type ErrorReason, PrecedentError } from './domain/error.ts';
export { getTriggerType, type Trigger } from './domain/language/trigger.ts';
export type { LogLevel } from './domain/log.ts';
export type { Embedder, Purpose } from './embedding/embedder.ts';
export type { OpenAiOptions } from './embedding/openai.ts';
export { forModel } from './memory/for-model.ts';
export { type Memory, type MemoryOptions, openMemory } from './memory/memory.ts';
export type { Health } from './store/maintenance/health.ts';
export type { Writer } from './store/tx.ts';
