import type { Operation } from '../operations/operation.ts';
import { endConversation } from '../store/memos/conversation.ts';
import type { Store } from '../store/store.ts';
import type { Writer } from '../store/tx.ts';

/** How long to wait for the turn, in milliseconds: a process that ends is not kept. */
const WAITING = 2_000;

/** Ends conversations, those that were gone on with here alone (M-12): whoever only read writes nothing when closing. */
export class Ending {
  readonly #store: Store;
  readonly #self: Writer;
  readonly #begun = new Set<string>();

  constructor(store: Store, self: Writer) {
    this.#store = store;
    this.#self = self;
  }

  /** Takes note of a call that is about to run. */
  note({ access, family }: Operation, { conversation, session }: Writer): void {
    if (access === 'write' && family === 'memos') this.#begun.add(conversation || session);
  }

  /** Ends a conversation. Where that fails, it is over when it has been silent for long. */
  async end(conversation: string): Promise<void> {
    if (!this.#begun.delete(conversation)) return;
    const work = this.#store.write(this.#self, (tx) => endConversation(tx, conversation), {
      waiting: WAITING,
    });
    await work.catch(() => {});
  }
}
