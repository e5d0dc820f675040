import { createHash, randomBytes } from 'node:crypto';
import { unauthorized, unavailable } from '../../domain/error.ts';
import { metadataOf, TIMEOUT } from './oauth.ts';

/** The client of an identity provider by which people log in to the page (OP-6). */
export interface LoginOptions {
  issuer: string;
  clientId: string;
  /** Of a client that has one. */
  secret?: string | undefined;
  /** The scopes to ask for, separated by spaces. */
  scope: string;
  /** The address of this server, without a slash at the end. */
  publicUrl: string;
}

/** The authorization code flow with PKCE. Its state is in a cookie, so that any replica can end it. */
export interface Login {
  /** @returns where the browser goes, and the cookie that it brings back */
  begin(): Promise<{ to: string; cookie: string }>;
  /**
   * @param answer the address to which the provider sent the browser back
   * @returns the access token
   * @throws PrecedentError `unauthorized` if this browser did not begin, or the provider refuses
   */
  end(answer: URL, cookies: string | undefined): Promise<string>;
}

/** Where a login begins, and below it where it ends. */
export const LOGIN = '/login';
const COOKIE = 'precedent-login';
/** The cookie of a login that has ended. */
export const FORGOTTEN = `${COOKIE}=; Max-Age=0; Path=${LOGIN}`;
/** Seconds in which a login must end. */
const LONGEST = 600;

export function loginAt({ issuer, clientId, secret, scope, publicUrl }: LoginOptions): Login {
  const back = `${publicUrl}${LOGIN}/done`;
  const kept = `HttpOnly; SameSite=Lax; Path=${LOGIN}${publicUrl.startsWith('https:') ? '; Secure' : ''}`;
  const endpoint = async (name: 'authorization_endpoint' | 'token_endpoint') => {
    const url = await metadataOf(issuer)
      .then((said) => said[name])
      .catch(() => undefined);
    if (typeof url === 'string') return url;
    throw unavailable.unreachable('The identity provider does not say where people log in. Try again.');
  };
  return {
    async begin() {
      const [state, verifier] = [secretText(), secretText()];
      const to = new URL(await endpoint('authorization_endpoint'));
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: back,
        scope,
        state,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(asked)) to.searchParams.set(name, value);
      return { to: to.href, cookie: `${COOKIE}=${state}.${verifier}; Max-Age=${LONGEST}; ${kept}` };
    },
    async end({ searchParams }, cookies) {
      const [, state, verifier] =
        new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)\\.([\\w-]+)`).exec(cookies ?? '') ?? [];
      // Without it, another site could log its reader in as somebody else.
      if (verifier === undefined || searchParams.get('state') !== state)
        throw unauthorized.not_allowed('This browser did not begin this login, or took too long.');
      const code = searchParams.get('code');
      const from = searchParams.get('iss') ?? issuer;
      if (code === null || from !== issuer) throw refusedWith(searchParams.get('error'));
      const answer = await fetch(await endpoint('token_endpoint'), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: back,
          client_id: clientId,
          code_verifier: verifier,
          ...(secret && { client_secret: secret }),
        }),
        signal: AbortSignal.timeout(TIMEOUT),
      }).catch(() => undefined);
      if (!answer || answer.status >= 500)
        throw unavailable.unreachable('The identity provider does not answer. Log in again.');
      const said = (await answer.json().catch(() => undefined)) as
        | { access_token?: unknown; error?: unknown }
        | undefined;
      if (typeof said?.access_token !== 'string') throw refusedWith(said?.error);
      return said.access_token;
    },
  };
}

const secretText = () => randomBytes(32).toString('base64url');

/** @param error a code of the provider, such as `access_denied` */
function refusedWith(error: unknown) {
  const code = typeof error === 'string' && /^\w{1,40}$/.test(error) ? ` (${error})` : '';
  return unauthorized.not_allowed(`The identity provider refused the login${code}.`);
}
