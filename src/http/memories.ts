import { notFound } from '../domain/error.ts';
import { checkWorkspace } from '../domain/workspace.ts';
import { Connection, type ServedMemory } from '../memory/connection.ts';
import { covers, type Grant } from './access/grant.ts';
import { Queue } from './queue.ts';

/** The memories that a server may open. */
export interface Source {
  /** The workspace of a caller that names none. */
  main: string;
  /** Set when there can be no other than this one. */
  only?: string;
  /** The names of those that are there. */
  list(): Promise<string[]>;
  /** Opens one; where there is none, its reads are empty and its first save makes it (K-2). */
  open(workspace: string): Promise<ServedMemory>;
}

/** A memory that is served: its connection, and the queue of its calls. */
interface Served {
  connection: Connection;
  queue: Queue;
}

/** Memories that are open at once. Beyond it, the least recently used ones are closed. */
const MOST = 64;

/** The memories of a server, opened on demand. */
export class Memories {
  readonly #source: Source;
  /** The most recently used is last. */
  readonly #served = new Map<string, Served>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** The number of waiting calls. */
  get waiting(): number {
    return [...this.#served.values()].reduce((sum, { queue }) => sum + queue.waiting, 0);
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
   * Does something with a memory when it is the token's turn.
   * @param begin called when it is its turn; throws if it must not begin any more
   */
  async use<Result>(
    { name }: Grant,
    workspace: string,
    begin: () => void,
    work: (memory: ServedMemory) => Promise<Result>,
  ): Promise<Result> {
    const { connection, queue } = this.#take(workspace);
    try {
      return await queue.run(name, async () => {
        begin();
        return connection.use(work);
      });
    } finally {
      this.#closeUnused();
    }
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
      queue: new Queue(),
    };
    this.#served.delete(workspace);
    this.#served.set(workspace, served);
    return served;
  }

  #closeUnused(): void {
    for (const [workspace, { connection, queue }] of this.#served) {
      if (this.#served.size <= MOST) return;
      if (!queue.isIdle) continue;
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
