/**
 * One OpenID provider, named in the settings by whoever runs the server. Code flow with PKCE, state and nonce;
 * people are known by issuer and subject, and at the first time by an address that the provider has verified.
 */
import * as client from 'openid-client'
import type { ProviderAccount } from '../../access/signin/provider-accounts.js'
import { ApiError } from '../../contract/errors.js'

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What people call it. */
  readonly name: string
}

/** What the browser keeps between leaving and coming back. */
export interface OpenIdChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface OpenIdProvider {
  readonly name: string
  /** Returns where to send the browser, and what it must bring back. */
  begin(): Promise<{ readonly url: string; readonly checks: OpenIdChecks }>
  /** Returns who came back; throws 401 when the answer is not to be trusted. */
  finish(callback: URL, checks: OpenIdChecks): Promise<ProviderAccount>
}

export function createOpenIdProvider(settings: OpenIdSettings, redirectUri: string): OpenIdProvider {
  const { name } = settings
  const refusal = (problem: string) => new ApiError('oidc_refused', { name, problem })
  let configuration: Promise<client.Configuration> | undefined

  /** Asked for when first needed, and again after a failure: the provider may start later than we do. */
  async function configure(): Promise<client.Configuration> {
    configuration ??= discover(settings)
    try {
      return await configuration
    } catch {
      configuration = undefined
      throw refusal('it cannot be reached just now. Try again in a moment')
    }
  }

  return {
    name,
    async begin() {
      const known = await configure()
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(known, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks }
    },

    async finish(callback, { state, nonce, verifier }) {
      const known = await configure()
      try {
        const tokens = await client.authorizationCodeGrant(known, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const inToken = tokens.claims()!
        const { iss: issuer, sub: subject } = inToken
        const claims =
          'email' in inToken ? inToken : await client.fetchUserInfo(known, tokens.access_token, subject)
        return { issuer, subject, email: verifiedEmailIn(claims) }
      } catch {
        // What the provider sent may hold codes and tokens.
        throw refusal('its answer was refused. Begin again at the sign-in page')
      }
    },
  }
}

/** Returns the address as the provider writes it; null when it does not say that it has verified it. */
function verifiedEmailIn({ email, email_verified: isVerified }: Record<string, unknown>): string | null {
  return typeof email === 'string' && isVerified === true && isAddress(email) ? email : null
}

function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text)
}

function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<client.Configuration> {
  const server = new URL(issuer)
  // The settings admit http for this machine alone.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : []
  return client.discovery(server, clientId, clientSecret, undefined, { execute, timeout: 10 })
}
