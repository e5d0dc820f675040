import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EventKind } from '../../agents/agent.ts';
import { shortHash } from '../../domain/text/short-hash.ts';
import { readBounded } from '../../files/bounded.ts';
import { describeDatabase } from '../../memory/engines.ts';
import type { Place } from '../place.ts';

/** What an agent was shown last of a memory, without being asked. It holds no text: neither of a prompt nor of a record. */
export interface LastBriefing {
  /** When, in milliseconds. */
  at: number;
  agent: string;
  event: Exclude<EventKind, 'call'>;
  /** Ids of decisions and of a checkpoint; an observation is `#38`. */
  ids: string[];
  tokens: number;
}

/** Which memory is meant. */
type Which = Pick<Place, 'db' | 'workspace'>;

/** Keeps what was shown last; a failure is nobody's business. @param dataFolder it is there already */
export function saveLastBriefing(dataFolder: string, which: Which, reported: LastBriefing): void {
  const file = fileOf(dataFolder, which);
  const partial = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(partial, JSON.stringify({ memory: nameOf(which), ...reported }), { mode: 0o600 });
    renameSync(partial, file);
  } catch {
    rmSync(partial, { force: true });
  }
}

/** What was shown last; undefined when nothing was, or where it cannot be read. */
export function lastBriefing(dataFolder: string, which: Which): LastBriefing | undefined {
  try {
    const kept = String(readBounded(fileOf(dataFolder, which)));
    const { memory, at, agent, event, ids, tokens } = JSON.parse(kept);
    const isWhole =
      memory === nameOf(which) && Number.isFinite(at) && typeof agent === 'string' && Array.isArray(ids);
    return isWhole ? { at, agent, event, ids: ids.map(String), tokens } : undefined;
  } catch {
    return undefined;
  }
}

/** A memory's file. Its name is short, and quick to make in a hook; of two memories with one, the last shown counts. */
function fileOf(dataFolder: string, which: Which): string {
  return join(dataFolder, 'briefings', `${shortHash(nameOf(which))}.json`);
}

/** The address of a server may hold a password. */
function nameOf({ db, workspace }: Which): string {
  const { kind, shown } = describeDatabase(db);
  return `${kind === 'file' ? db : shown} ${workspace}`;
}
