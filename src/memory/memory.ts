import { requireOperation } from '../operations/index.ts';
import { atCaller } from './caller.ts';
import { type MemoryCore, type MemoryOptions, openCore } from './core.ts';
import { describeDatabase } from './engines.ts';
import { inTransaction, type Library, libraryCall, methodsOf, type OperationMethods } from './library.ts';
import { requireOn } from './off.ts';
import { checkOptions, checkTransaction, withCheckedArguments } from './options.ts';
import { throwTheirs } from './theirs.ts';

/** An open memory: every operation as a method, and what programs need around them. */
export type Memory = OperationMethods & Library & MemoryCore;

/**
 * Opens a memory, and creates it where there is none.
 * @throws PrecedentError `unavailable` when it cannot be opened, or is off on this machine (V-6), saying why; `not_found` when
 *   there is none and `create` is false
 */
export const openMemory: (options: MemoryOptions) => Promise<Memory> = atCaller(async (options) => {
  checkOptions(options);
  const { db, workspace = describeDatabase(db).workspace } = options;
  requireOn({ db, workspace });
  return withMethods(withCheckedArguments(await openCore(options, requireOperation).catch(throwTheirs)));
});

/** A memory with a method for each operation. */
function withMethods(core: MemoryCore): Memory {
  const transaction = atCaller(async (work, options) => {
    checkTransaction(work, options);
    return core.transact(async (call) => work(methodsOf(libraryCall(call), inTransaction)), options);
  }) as Library['transaction'];
  return Object.assign(methodsOf(libraryCall(core.call)), core, { transaction });
}
