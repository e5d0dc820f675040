import { existsSync } from 'node:fs';
import { agentsFound } from '../../agents/agents.ts';
import { readManifest } from '../../agents/manifest.ts';
import { type AgentStatus, statusOf } from '../../agents/status.ts';
import { PrecedentError } from '../../domain/error.ts';
import { findDataFolder } from '../data-folder.ts';
import type { PlaceOptions } from '../place.ts';
import { machineHere, wishHere } from './here.ts';

/** What the agents of this machine have of Precedent; none where that cannot be told, as without a home. */
export async function agentsHere(options: PlaceOptions): Promise<AgentStatus[]> {
  try {
    const machine = machineHere();
    const dataFolder = await findDataFolder(process.env);
    const manifest = readManifest(dataFolder);
    const wish = wishHere(options, dataFolder);
    return agentsFound(machine, existsSync)
      .map((agent) => ({ agent, status: statusOf(agent, machine, wish, manifest) }))
      .filter(({ agent, status }) => !agent.isPerProject || status.server !== 'missing')
      .map(({ status }) => status);
  } catch (error) {
    if (error instanceof PrecedentError) return [];
    throw error;
  }
}
