/**
 * One OpenID provider, named in the settings by whoever runs the server. Code flow with PKCE, state and nonce;
 * people are known by an e-mail address that the provider says it has verified.
 */
import * as client from 'openid-client'
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
  /** Returns the verified e-mail address, lower case; throws 401 saying what is missing. */
  finish(callback: URL, checks: OpenIdChecks): Promise<string>
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
      let claims: Record<string, unknown>
      try {
        const tokens = await client.authorizationCodeGrant(known, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const inToken = tokens.claims()!
        claims =
          'email' in inToken ? inToken : await client.fetchUserInfo(known, tokens.access_token, inToken.sub)
      } catch {
        // What the provider sent may hold codes and tokens.
        throw refusal('its answer was refused. Begin again at the sign-in page')
      }
      const { email, email_verified: isVerified } = claims
      if (typeof email !== 'string' || isVerified !== true) {
        throw refusal('it does not vouch for your e-mail address')
      }
      return email.trim().toLowerCase()
    },
  }
}

function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<client.Configuration> {
  const server = new URL(issuer)
  // The settings admit http for this machine alone.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : []
  return client.discovery(server, clientId, clientSecret, undefined, { execute, timeout: 10 })
}
