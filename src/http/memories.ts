import { notFound } from '../domain/error.ts';
import { checkWorkspace } from '../domain/workspace.ts';
import { Connection, type ServedMemory } from '../memory/connection.ts';
import { chargedTo, type Share } from '../memory/in-turn.ts';
import { type Access, covers, type Grant } from './access/grant.ts';
import { Queue } from './queue.ts';

/** The memories that a server may open. */
export interface Source {
  /** The workspace of a caller that names none. */
  main: string;
  /** Set when there can be no other than this one. */
  only?: string;
  /** The names of those that are there. */
  list(): Promise<string[]>;
  /** Rejects where calls would be refused. Default: as {@link list}. */
  check?(): Promise<unknown>;
  /** Opens one; where there is none, its reads are empty and its first save makes it (K-2). */
  open(workspace: string): Promise<ServedMemory>;
}

/** A memory that is served: its connection, and its calls. A read never keeps a write waiting, and has a queue of its own (Z-12). */
interface Served {
  connection: Connection;
  reads: Queue;
  writes: Queue;
}

/** The processor time that a token has used, and how many calls it has under way or waiting. */
interface Counted extends Share {
  calls: number;
}

/** Memories that are open at once. Beyond it, the least recently used ones are closed. */
const MOST = 64;

/** The memories of a server, opened on demand. */
export class Memories {
  readonly #source: Source;
  /** The most recently used is last. */
  readonly #served = new Map<string, Served>();
  /** The use of each token with calls under way, in all memories. */
  readonly #shares = new Map<string, Counted>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** The number of waiting calls. */
  get waiting(): number {
    return [...this.#served.values()].reduce(
      (sum, { reads, writes }) => sum + reads.waiting + writes.waiting,
      0,
    );
  }

  /** The existing workspaces that a grant covers. */
  async listFor(grant: Grant): Promise<string[]> {
    return (await this.#source.list()).filter((workspace) => covers(grant, workspace));
  }

  /** The default workspace of a grant: its only one, else that of the server if the grant covers it. */
  mainFor(grant: Grant): string | undefined {
    const [first, ...more] = grant.workspaces ?? [];
    const main = first !== undefined && more.length === 0 ? first : this.#source.main;
    return this.#isOpenTo(grant, main) ? main : undefined;
  }

  /**
   * The workspace of a request.
   * @param named in the request
   * @throws PrecedentError `not_found` for one that the grant does not cover, in the same words as for one that cannot be,
   *   and where none is meant without a name: the server's own does not concern those who may not see it
   */
  workspaceFor(grant: Grant, named: string | undefined): string {
    const workspace = named?.normalize('NFC') ?? this.mainFor(grant);
    if (workspace !== undefined && this.#isOpenTo(grant, workspace)) return workspace;
    const found = workspace === undefined ? 'no name' : JSON.stringify(workspace);
    throw notFound.no_memory(`Expected a workspace of this token, found ${found}.`);
  }

  #isOpenTo(grant: Grant, workspace: string): boolean {
    return isName(workspace) && this.#isServed(workspace) && covers(grant, workspace);
  }

  /**
   * Does something with a memory when it is the token's turn, and charges the token with it.
   * @param begin called when it is its turn; throws if it must not begin any more
   */
  async use<Result>(
    { name }: Grant,
    workspace: string,
    access: Access,
    begin: () => void,
    work: (memory: ServedMemory) => Promise<Result>,
  ): Promise<Result> {
    const { connection, reads, writes } = this.#take(workspace);
    const share = this.#shareOf(name);
    share.calls++;
    try {
      return await (access === 'read' ? reads : writes).run(name, async () => {
        begin();
        return chargedTo(share, () => connection.use(work));
      });
    } finally {
      if (--share.calls === 0) this.#shares.delete(name);
      this.#closeUnused();
    }
  }

  /** A token whose calls begin is no further behind the others than they are among themselves. */
  #shareOf(token: string): Counted {
    const others = [...this.#shares.values()].map(({ used }) => used);
    const share = this.#shares.get(token) ?? {
      used: others.length === 0 ? 0 : Math.min(...others),
      calls: 0,
    };
    this.#shares.set(token, share);
    return share;
  }

  /** Waits for the calls that run, then closes all. */
  async close(): Promise<void> {
    await Promise.all([...this.#served.values()].map(({ connection }) => connection.finish()));
  }

  #isServed(workspace: string): boolean {
    return this.#source.only === undefined || this.#source.only === workspace;
  }

  #take(workspace: string): Served {
    const served = this.#served.get(workspace) ?? {
      connection: new Connection(() => this.#source.open(workspace)),
      reads: new Queue(),
      writes: new Queue(),
    };
    this.#served.delete(workspace);
    this.#served.set(workspace, served);
    return served;
  }

  #closeUnused(): void {
    for (const [workspace, { connection, reads, writes }] of this.#served) {
      if (this.#served.size <= MOST) return;
      if (!reads.isIdle || !writes.isIdle) continue;
      this.#served.delete(workspace);
      void connection.finish();
    }
  }
}

function isName(workspace: string): boolean {
  try {
    checkWorkspace(workspace);
    return true;
  } catch {
    return false;
  }
}
