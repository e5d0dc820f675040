import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The path of Node that stays when Node is updated: Homebrew keeps each version in a folder of its own, and a link to the
 * newest next to them.
 */
export function stableNode(node: string): string {
  const [, prefix, formula] = node.match(/^(.*)\/Cellar\/(node[^/]*)\/[^/]+\/bin\/node$/) ?? [];
  const link = prefix && formula && join(prefix, 'opt', formula, 'bin', 'node');
  return link && existsSync(link) && realpathSync(link) === realpathSync(node) ? link : node;
}
