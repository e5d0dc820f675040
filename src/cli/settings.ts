import { invalid } from '../domain/error.ts';
import { checkWorkspace } from '../domain/workspace.ts';
import { dataFolderHere } from '../files/data-folder.ts';
import type { OpenAiOptions } from '../memory/core.ts';

/** The model's endpoint, as the environment names it; undefined when it names none. @throws PrecedentError `invalid` */
export function findEmbedder(environment: NodeJS.ProcessEnv): OpenAiOptions | undefined {
  const { PRECEDENT_EMBED_URL: url, PRECEDENT_EMBED_MODEL: model, PRECEDENT_EMBED_KEY: apiKey } = environment;
  if (!url && !model) return undefined;
  if (url && model) return { url, model, apiKey: apiKey || undefined };
  throw invalid.missing(
    `Expected PRECEDENT_EMBED_URL and PRECEDENT_EMBED_MODEL together, found only ${url ? 'PRECEDENT_EMBED_URL' : 'PRECEDENT_EMBED_MODEL'}.`,
  );
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
