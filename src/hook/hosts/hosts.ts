import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import type { Host } from './host.ts';
import { opencode } from './opencode.ts';
import { vscode } from './vscode.ts';

const HOSTS: readonly Host[] = [claude, codex, gemini, copilot, vscode, cursor, opencode];

/** The program that runs this hook, which may be another than the one it was made for; undefined for an unknown one. */
export function hostOf(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  payload: object,
): Host | undefined {
  const named = HOSTS.find((host) => host.name === name);
  const running = HOSTS.find(
    (host) => named?.sharedWith?.includes(host.name) && host.isRunning?.(environment, payload),
  );
  return running ?? named;
}
