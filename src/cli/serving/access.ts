import { existsSync } from 'node:fs';
import { invalid } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import { type Authenticate, anyOf, byTokenFile, byTokens } from '../../http/access/authenticate.ts';
import type { Grant } from '../../http/access/grant.ts';
import { type Login, loginAt } from '../../http/access/login.ts';
import { byOAuth, SCOPES } from '../../http/access/oauth.ts';
import { hashOf, newToken } from '../../http/access/tokens.ts';
import { authorHere } from '../author.ts';
import { log } from '../output/print.ts';
import { isPersonHere } from '../person.ts';
import { tokenFileHere } from './tokens-here.ts';
import type { ServingAt } from './where.ts';

export interface AccessOptions
  extends Partial<
    Record<
      | 'tokens'
      | 'oauthIssuer'
      | 'oauthJwks'
      | 'oauthAudience'
      | 'oauthWorkspacesClaim'
      | 'oauthAuthorClaim'
      | 'oauthLogin'
      | 'oauthLoginScope',
      string | undefined
    >
  > {
  noAuth?: boolean | undefined;
}

/** Who is let in, and what people and clients learn of it. */
export interface Access {
  authenticate: Authenticate;
  /** The token of this run, where no other was set up. */
  token?: string;
  /** Where tokens come from, for the person who starts the server. */
  shown: string;
  resource?: { document: Record<string, unknown>; url: string };
  login?: Login;
}

/** A token of one run never outlives it. */
export const NEVER = 8.64e15;

/**
 * Who is let in: those with a token of the file, or of an identity provider; without either, on this machine alone,
 * whoever has the token that is made for this run (H-2).
 * @throws PrecedentError `invalid` for a server that others could reach without any of these
 */
export async function accessOf(
  { noAuth, oauthIssuer, ...options }: AccessOptions,
  { isLocal, publicUrl }: ServingAt,
): Promise<Access> {
  const file = await tokenFileHere(options.tokens);
  if (options.oauthLogin !== undefined && oauthIssuer === undefined)
    throw invalid.missing('Expected --oauth-issuer with --oauth-login: where people log in.');
  const isNamed = options.tokens !== undefined || Boolean(here().env.PRECEDENT_TOKENS);
  if (isNamed && !existsSync(file))
    throw invalid.missing(
      `Expected a file of tokens, found none at ${file}. Make one with: precedent token add`,
    );
  const hasFile = existsSync(file);
  if (!isLocal) requireSafety(noAuth, hasFile || oauthIssuer !== undefined, publicUrl);
  const self = async (): Promise<Grant> => ({
    name: 'local',
    author: await authorHere(here().env),
    // Whoever reads what a program starts is no person by that.
    person: !noAuth && (await isPersonHere()),
    workspaces: undefined,
    access: 'write',
    expires: NEVER,
  });
  if (noAuth) {
    const grant = await self();
    return {
      authenticate: async () => grant,
      shown: 'No token is needed: every program of this machine may read and write.',
    };
  }
  const ways: Authenticate[] = [];
  // With a provider the first token of the file counts without a restart, too (OP-4).
  if (hasFile || oauthIssuer !== undefined) ways.push(byTokenFile(file, log, Date.now));
  const oauth = oauthIssuer === undefined ? undefined : oauthOf(oauthIssuer, options, publicUrl);
  if (oauth) ways.push(byOAuth(oauth));
  if (ways.length > 0) {
    return {
      authenticate: anyOf(...ways),
      shown: [hasFile && `Tokens are those of ${file}.`, oauth && `Tokens are those of ${oauth.issuer}.`]
        .filter(Boolean)
        .join(' '),
      ...(oauth && { resource: resourceOf(oauth.issuer, publicUrl as string) }),
      ...(oauth?.pageClient !== undefined && {
        login: loginAt({
          issuer: oauth.issuer,
          clientId: oauth.pageClient,
          secret: here().env.PRECEDENT_OAUTH_SECRET,
          scope: options.oauthLoginScope ?? 'memory:read memory:write',
          publicUrl: publicUrl as string,
        }),
      }),
    };
  }
  const token = newToken();
  const record = { ...(await self()), access: 'sync' as const, hash: hashOf(token) };
  return {
    // The first token of the file counts without a restart (OP-4).
    authenticate: anyOf(byTokens([record], Date.now), byTokenFile(file, log, Date.now)),
    token,
    shown: 'The token is valid until this server ends.',
  };
}

function requireSafety(noAuth: boolean | undefined, hasSource: boolean, publicUrl: string | undefined) {
  const fault = noAuth
    ? '--no-auth is for 127.0.0.1 alone. Leave it out'
    : !hasSource
      ? 'it has neither tokens nor an identity provider. Make a token with "precedent token add", or give --oauth-issuer'
      : publicUrl === undefined
        ? 'its address for others is missing. Give it with --public-url https://…'
        : undefined;
  if (fault === undefined) return;
  throw invalid.unsafe_server(`A server that listens beyond this machine must be protected: ${fault}.`);
}

function oauthOf(issuer: string, options: AccessOptions, publicUrl: string | undefined) {
  if (publicUrl === undefined)
    throw invalid.missing(
      'Expected --public-url with --oauth-issuer: its tokens must be issued for that address.',
    );
  return {
    issuer,
    jwks: options.oauthJwks,
    audience: options.oauthAudience ?? `${publicUrl}/mcp`,
    workspacesClaim: options.oauthWorkspacesClaim ?? 'workspaces',
    authorClaim: options.oauthAuthorClaim ?? 'name',
    pageClient: options.oauthLogin,
  };
}

function resourceOf(issuer: string, publicUrl: string) {
  return {
    url: `${publicUrl}/.well-known/oauth-protected-resource/mcp`,
    document: {
      resource: `${publicUrl}/mcp`,
      authorization_servers: [issuer],
      // Those of an agent: it asks for all of them, and a provider may not know that of a sync (OP-6).
      scopes_supported: SCOPES.filter((scope) => scope !== 'memory:sync'),
      bearer_methods_supported: ['header'],
      resource_name: 'Precedent',
    },
  };
}
