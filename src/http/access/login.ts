import * as oauth from 'oauth4webapi';
import { unauthorized, unavailable } from '../../domain/error.ts';
import { TIMEOUT } from './oauth.ts';

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
  /** Whether this browser began the login that an address ends: only then is the provider asked. */
  isBegun(answer: URL, cookies: string | undefined): boolean;
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
  const client: oauth.Client = { client_id: clientId };
  // Only a provider that was named with http is asked without TLS.
  const sent = () => ({
    signal: AbortSignal.timeout(TIMEOUT),
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  });
  const discovered = async () => {
    const url = new URL(issuer);
    const as = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, sent()));
    return { as, authorize: new URL(as.authorization_endpoint ?? '') };
  };
  let known: ReturnType<typeof discovered> | undefined;
  // Asked once: whoever opens the page may begin a login.
  const provider = async () => {
    known ??= discovered();
    try {
      return await known;
    } catch (cause) {
      known = undefined;
      const message = 'The identity provider does not say where people log in. Try again.';
      throw unavailable.unreachable(message, { cause });
    }
  };
  const begunAs = (answer: URL, cookies = '') => {
    const [, state, verifier] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)\\.([\\w-]+)`).exec(cookies) ?? [];
    return state !== undefined && answer.searchParams.get('state') === state
      ? { state, verifier: verifier as string }
      : undefined;
  };
  return {
    async begin() {
      const to = new URL((await provider()).authorize);
      const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: back,
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(asked)) to.searchParams.set(name, value);
      return { to: to.href, cookie: `${COOKIE}=${state}.${verifier}; Max-Age=${LONGEST}; ${kept}` };
    },
    isBegun: (answer, cookies) => begunAs(answer, cookies) !== undefined,
    async end(answer, cookies) {
      const begun = begunAs(answer, cookies);
      // Without it, another site could log its reader in as somebody else.
      if (!begun) throw unauthorized.not_allowed('This browser did not begin this login, or took too long.');
      const { as } = await provider();
      const by = secret ? oauth.ClientSecretPost(secret) : oauth.None();
      try {
        const code = oauth.validateAuthResponse(as, client, answer, begun.state);
        const given = await oauth.authorizationCodeGrantRequest(
          as,
          client,
          by,
          code,
          back,
          begun.verifier,
          sent(),
        );
        return (await oauth.processAuthorizationCodeResponse(as, client, given)).access_token;
      } catch (error) {
        throw refusedWith(error);
      }
    },
  };
}

/** The provider's refusal by its code, such as `access_denied`, or that it could not be asked. */
function refusedWith(error: unknown) {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const code = /^\w{1,40}$/.test(error.error) ? ` (${error.error})` : '';
    return unauthorized.not_allowed(`The identity provider refused the login${code}.`);
  }
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.WWWAuthenticateChallengeError)
    return unauthorized.not_allowed('The identity provider refused the login.', { cause: error });
  return unavailable.unreachable('The identity provider does not answer. Log in again.');
}
