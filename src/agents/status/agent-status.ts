import type { Machine, SetupRequest } from '../agent.ts';
import type { Manifest } from '../manifest.ts';
import type { HooksStatus } from './hooks.ts';

/** What an agent has of Precedent. */
export interface AgentStatus extends HooksStatus {
  agent: string;
  title: string;
  /**
   * How the server is entered: by setup, by hand, by the plugin, in the files of this project for everybody, or not at all;
   * `unreadable` where that cannot be told.
   */
  server: 'setup' | 'by hand' | 'plugin' | 'project' | 'missing' | 'unreadable';
  /** The address at which it reaches a server, where it starts none. */
  url?: string;
  /** Whether the skill is there, whatever it says: the agent loads it. */
  skill?: boolean;
  /** The version of Precedent that it starts, where that can be told. */
  version?: string;
  /** What a person should know or do. */
  notes: string[];
}

/** What {@link statusOf} compares with. */
export interface Here {
  machine: Machine;
  request: SetupRequest;
  manifest: Manifest;
  dataFolder: string;
  /** The version of Precedent that looks. */
  version: string;
}
