import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { unavailable } from '../../domain/error.ts';
import type { Authenticate } from './authenticate.ts';
import { ACCESS } from './grant.ts';

/** An identity provider whose access tokens are accepted (H-2). */
export interface OAuthOptions {
  /** The `iss` claim of its tokens. */
  issuer: string;
  /** Where its keys are. Default: as its own metadata say (OpenID Connect Discovery). */
  jwks?: string | undefined;
  /** The audience of its tokens, such as the address of this server's MCP endpoint. */
  audience: string;
  /** The claim with the workspaces of a token, or `*`. A token without it sees none. */
  workspacesClaim: string;
  /** The claim with the author's name. Default: the subject. */
  authorClaim: string;
  /** The client by which people log in to the page: what has its tokens is the page. */
  pageClient?: string | undefined;
}

/** The scopes that clients can request. */
export const SCOPES = ACCESS.map((access) => `memory:${access}`);
/** Signatures with a public key alone: with a shared secret, whoever can check a token could make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Milliseconds to wait for the provider. */
export const TIMEOUT = 3_000;
/** How far clocks may differ, in seconds. */
const SKEW = 30;

/** Access tokens of an identity provider: JWTs, checked with the keys that it publishes. */
export function byOAuth(options: OAuthOptions): Authenticate {
  const { issuer, audience } = options;
  let found: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;
  const findKeys = async () =>
    createRemoteJWKSet(new URL(options.jwks ?? (await jwksOf(issuer))), {
      cooldownDuration: 30_000,
      timeoutDuration: TIMEOUT,
    });
  const rules = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: SKEW,
    requiredClaims: ['exp', 'sub'],
  };
  return async (token, tell) => {
    if (token?.split('.').length !== 3) {
      if (token !== undefined) tell?.('neither a token of the file nor a JWT');
      return undefined;
    }
    try {
      found ??= findKeys().catch((error: unknown) => {
        // Asked again with the next token.
        found = undefined;
        throw error;
      });
      const { payload } = await jwtVerify(token, await found, rules);
      const scopes = wordsOf(payload.scope ?? payload.scp);
      const access = ACCESS.findLast((each) => scopes.includes(`memory:${each}`));
      if (access === undefined) {
        tell?.(`none of the scopes ${SCOPES.join(', ')} in the claim "scope" or "scp"`);
        return undefined;
      }
      const author = payload[options.authorClaim];
      const name = String(payload.sub);
      return {
        name,
        author: typeof author === 'string' ? author : name,
        // Of any other client the provider says whose token it is, and not whether a program has it.
        person: options.pageClient !== undefined && clientOf(payload) === options.pageClient,
        workspaces: workspacesOf(payload[options.workspacesClaim]),
        access,
        expires: Number(payload.exp) * 1000,
      };
    } catch (error) {
      if (isRefusal(error)) {
        tell?.(error.message);
        return undefined;
      }
      throw unavailable.unreachable('The keys of the identity provider cannot be read. Try again.', {
        cause: error,
      });
    }
  };
}

/** The client that a token was issued to: the claim of RFC 9068 and OpenID Connect, or that of Okta. */
const clientOf = ({ client_id, azp, cid }: JWTPayload) => client_id ?? azp ?? cid;

function workspacesOf(claim: unknown): readonly string[] | undefined {
  if (claim === '*') return undefined;
  return wordsOf(claim);
}

/** A list, or words in one text: providers write scopes either way. */
function wordsOf(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.filter((each) => typeof each === 'string');
  return typeof claim === 'string' ? claim.split(' ') : [];
}

/** Where a provider says that its keys are; where most have them, if it says nothing. */
async function jwksOf(issuer: string): Promise<string> {
  const { jwks_uri } = await metadataOf(issuer);
  return typeof jwks_uri === 'string' ? jwks_uri : `${baseOf(issuer)}/.well-known/jwks.json`;
}

/** The provider's metadata (OpenID Connect Discovery); nothing if it has no such page. */
async function metadataOf(issuer: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${baseOf(issuer)}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (answer.status >= 500) throw new Error(`its metadata were answered with ${answer.status}`);
  return (answer.ok && ((await answer.json()) as Record<string, unknown> | null)) || {};
}

const baseOf = (issuer: string) => issuer.replace(/\/$/, '');

/** Errors by which the provider cannot be reached, or has no keys. */
const UNREACHABLE = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'];

/** Whether the token is invalid, and not the provider unreachable. */
const isRefusal = (error: unknown): error is errors.JOSEError =>
  error instanceof errors.JOSEError && !UNREACHABLE.includes(error.code);
