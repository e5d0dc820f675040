import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { unavailable } from '../../domain/error.ts';
import type { Authenticate } from './authenticate.ts';
import { ACCESS } from './grant.ts';

/** An identity provider whose access tokens are accepted (H-2). */
export interface OAuthOptions {
  /** The `iss` claim of its tokens. */
  issuer: string;
  /** Where its keys are. */
  jwks: string;
  /** The audience of its tokens: the address of this server's MCP endpoint. */
  audience: string;
  /** The claim with the workspaces of a token, or `*`. A token without it sees none. */
  workspacesClaim: string;
  /** The claim with the author's name. Default: the subject. */
  authorClaim: string;
}

/** The scopes that clients can request. */
export const SCOPES = ACCESS.map((access) => `memory:${access}`);
/** Signatures with a public key alone: with a shared secret, whoever can check a token could make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How far clocks may differ, in seconds. */
const SKEW = 30;

/** Access tokens of an identity provider: JWTs, checked with the keys that it publishes. */
export function byOAuth(options: OAuthOptions): Authenticate {
  const { issuer, audience } = options;
  const keys = createRemoteJWKSet(new URL(options.jwks), {
    cooldownDuration: 30_000,
    timeoutDuration: 3_000,
  });
  const rules = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: SKEW,
    requiredClaims: ['exp', 'sub'],
  };
  return async (token) => {
    if (token?.split('.').length !== 3) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, rules);
      const scopes = String(payload.scope ?? '').split(' ');
      const access = ACCESS.findLast((each) => scopes.includes(`memory:${each}`));
      if (access === undefined) return undefined;
      const author = payload[options.authorClaim];
      const name = String(payload.sub);
      return {
        name,
        author: typeof author === 'string' ? author : name,
        // The provider says whose token it is, and not whether a program has it.
        person: false,
        workspaces: workspacesOf(payload[options.workspacesClaim]),
        access,
        expires: Number(payload.exp) * 1000,
      };
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw unavailable.unreachable('The keys of the identity provider cannot be read. Try again.', {
        cause: error,
      });
    }
  };
}

function workspacesOf(claim: unknown): readonly string[] | undefined {
  if (claim === '*') return undefined;
  if (Array.isArray(claim)) return claim.filter((each) => typeof each === 'string');
  return typeof claim === 'string' ? claim.split(' ') : [];
}

/** What says that the provider cannot be reached, or has no keys. */
const UNREACHABLE = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'];

/** Whether the token is invalid, and not the provider unreachable. */
const isRefusal = (error: unknown): boolean =>
  error instanceof errors.JOSEError && !UNREACHABLE.includes(error.code);
