import { fstatSync } from 'node:fs';

/** What is told of an input: each piece of it, then its end, or what went wrong. */
export interface Listener {
  piece(bytes: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

/** Node's handle of a pipe or a socket, as far as it is used here. */
interface Handle {
  open(descriptor: number): number;
  /** Called with each piece, and with nothing at the end. */
  onread: (piece: ArrayBuffer | undefined) => void;
  readStart(): number;
}

/**
 * Listens to standard input. An agent gives a pipe, which is read past Node's streams: these take 5 ms to load, and nothing
 * else of a hook needs them (A-3, ADR 0070). Of the file system's functions none would do: a process whose read is pending
 * cannot end, and a hook must. Where there is no such pipe, or this Node lends none, it is the stream.
 */
export function listenToInput(listener: Listener): void {
  const handle = process.platform === 'win32' ? undefined : pipeAt(0);
  if (!handle) {
    process.stdin
      .on('data', (bytes: Buffer) => listener.piece(bytes))
      .on('end', () => listener.end())
      .on('error', (error) => listener.fail(error));
    return;
  }
  handle.onread = (piece) => (piece ? listener.piece(Buffer.from(piece)) : listener.end());
  if (handle.readStart() !== 0) listener.end();
}

function pipeAt(descriptor: number): Handle | undefined {
  try {
    const kind = fstatSync(descriptor);
    if (!kind.isFIFO() && !kind.isSocket()) return undefined;
    const { binding } = process as unknown as { binding(name: string): PipeBinding };
    const { Pipe, constants } = binding('pipe_wrap');
    const handle = new Pipe(constants.SOCKET);
    return handle.open(descriptor) === 0 ? handle : undefined;
  } catch {
    return undefined;
  }
}

interface PipeBinding {
  Pipe: new (type: number) => Handle;
  constants: { SOCKET: number };
}
