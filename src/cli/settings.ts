import { invalid } from '../domain/error.ts';
import { checkWorkspace } from '../domain/workspace.ts';
import { dataFolderHere } from '../files/data-folder.ts';
import type { Embedder, OpenAiOptions, StaticOptions } from '../memory/core.ts';
import { pathOf } from './given-path.ts';

/** The model's endpoint or folder, as the environment names it; undefined when it names none. @throws PrecedentError `invalid` */
export function findEmbedder(environment: NodeJS.ProcessEnv): OpenAiOptions | StaticOptions | undefined {
  const { PRECEDENT_EMBED_URL: url, PRECEDENT_EMBED_MODEL: model, PRECEDENT_EMBED_KEY: apiKey } = environment;
  const folder = pathOf(environment, 'PRECEDENT_EMBED_DIR');
  if (folder !== undefined && url)
    throw invalid.not_applicable('Expected PRECEDENT_EMBED_URL or PRECEDENT_EMBED_DIR, found both.');
  if (folder !== undefined) return { folder };
  if (!url && !model) return undefined;
  if (url && model) return { url, model, apiKey: apiKey || undefined };
  throw invalid.missing(
    `Expected PRECEDENT_EMBED_URL and PRECEDENT_EMBED_MODEL together, found only ${url ? 'PRECEDENT_EMBED_URL' : 'PRECEDENT_EMBED_MODEL'}.`,
  );
}

const shared = new Map<string, Promise<Embedder>>();

/**
 * {@link findEmbedder} for a server: one for all its memories, so that a model is loaded once, and one that hangs is waited
 * for once. @throws PrecedentError `invalid` also for a folder without a model
 */
export async function sharedEmbedder(environment: NodeJS.ProcessEnv): Promise<Embedder | undefined> {
  const named = findEmbedder(environment);
  if (!named) return undefined;
  const key = JSON.stringify(named);
  const { embedderOf } = await import('../memory/embed.ts');
  const found = shared.get(key) ?? embedderOf(named);
  shared.set(key, found);
  return found;
}

/** The workspace that options or environment name, if any. @throws PrecedentError `invalid` when it cannot be one */
export function givenName(
  options: { workspace?: string | undefined },
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const named = options.workspace ?? (environment.PRECEDENT_WORKSPACE || undefined);
  if (named !== undefined) checkWorkspace(named);
  return named;
}

/** The platform's folder for data. @throws PrecedentError `invalid` without a home: never a folder below `cwd` */
export async function findDataFolder(environment: NodeJS.ProcessEnv): Promise<string> {
  const folder = dataFolderHere(environment);
  if (folder !== undefined) return folder;
  const found = environment.HOME === undefined ? 'none' : JSON.stringify(environment.HOME);
  throw invalid.no_home(
    `Expected a home folder for the memory, found ${found}. Set HOME, or name a file with --db.`,
  );
}
