/** A server that is reached over HTTP, and which of its memories is meant. */
export interface Remote {
  /** The address of the server, without a slash at its end. */
  url: string;
  /** Left out: the only one that the token may see, else the server's own. */
  workspace?: string;
}

/**
 * The variable that holds the token of a server. Every agent can read it if it is asked to: so the token is in none of its files,
 * and what a project shares is the same for everybody.
 */
export const TOKEN = 'PRECEDENT_TOKEN';

/** The address at which a server answers MCP. */
export function endpointOf({ url, workspace }: Remote): string {
  return workspace === undefined ? `${url}/mcp` : `${url}/mcp/${encodeURIComponent(workspace)}`;
}

/** The header with the token. @param reference what an agent replaces by the variable's value */
export function bearer(reference: string): { Authorization: string } {
  return { Authorization: `Bearer ${reference}` };
}

/** Why a server gives no answer, by the status of its response (T-12). @param hasToken whether it was shown a token */
export function refusal(remote: Remote, status: number, hasToken: boolean): string {
  if (status === 401 && !hasToken) return `${remote.url} asks for a token, and ${TOKEN} is not set`;
  if (status === 401) return `${remote.url} does not accept the token in ${TOKEN}`;
  if (status === 404) return `the token in ${TOKEN} gives no access to the memory at ${endpointOf(remote)}`;
  return `${remote.url} answers ${status}`;
}

/** The message for an address at which another program answers. */
export const noServerOfOurs = (url: string): string => `what answers at ${url} is not a Precedent server`;

/** Why a request failed, by the code of the system where there is one. */
export function failureOf(url: string, error: unknown): string {
  if (!(error instanceof Error)) return `no server answers at ${url}`;
  // A time that is over has a number for a code, which says nothing to anybody.
  const codes = [error, error.cause].map((each) => (each as { code?: unknown } | undefined)?.code);
  const said = error.cause instanceof Error ? error.cause.message : error.name;
  const reason = codes.find((code) => typeof code === 'string') ?? said;
  return `no server answers at ${url} (${reason})`;
}

/** The options of a hook that asks a server, as {@link Launch} has them. */
export function remotePins({ url, workspace }: Remote): string[] {
  return ['--url', url, ...(workspace === undefined ? [] : ['--workspace', workspace])];
}

/** The server that is entered, in whatever form an agent has it; undefined for one that it starts, or another program's. */
export function remoteIn(server: Record<string, unknown>): Remote | undefined {
  const at = server.httpUrl ?? server.url;
  if (typeof at !== 'string' || !URL.canParse(at)) return undefined;
  const { origin, pathname } = new URL(at);
  const [isOurs, workspace] = pathname.match(/^\/mcp(?:\/([^/]+))?$/) ?? [];
  if (isOurs === undefined) return undefined;
  return { url: origin, ...(workspace !== undefined && { workspace: decoded(workspace) }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
