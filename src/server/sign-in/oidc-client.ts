/**
 * OpenID Connect client of the one provider that the settings name. Authorization code flow with PKCE, state and nonce;
 * users are identified by issuer and subject, and at their first sign-in by an address that the provider has verified.
 */
import type { Configuration } from 'openid-client'
import type { ProviderAccount } from '../../access/signin/provider-accounts.js'
import { ApiError } from '../../contract/errors.js'

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Shown on the sign-in page. */
  readonly name: string
}

/** State that the browser's cookie stores while it is at the provider. */
export interface OpenIdChecks {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface OpenIdProvider {
  readonly name: string
  /** Returns the provider's URL, and the checks that the callback must pass. */
  begin(): Promise<{ readonly url: string; readonly checks: OpenIdChecks }>
  /** Returns the account that signed in; throws 401 when the provider's answer fails the checks. */
  finish(callback: URL, checks: OpenIdChecks): Promise<ProviderAccount>
}

export function createOpenIdProvider(settings: OpenIdSettings, redirectUri: string): OpenIdProvider {
  const { name } = settings
  const refusalError = (problem: string) => new ApiError('oidc_refused', { name, problem })
  let configuration: Promise<Configuration> | undefined

  /** Discovers the provider when first needed, and again after a failure: it may start later than this server. */
  async function configure(): Promise<Configuration> {
    configuration ??= discover(settings)
    try {
      return await configuration
    } catch {
      configuration = undefined
      throw refusalError('it cannot be reached just now. Try again in a moment')
    }
  }

  return {
    name,
    async begin() {
      const config = await configure()
      const client = await loadClient()
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(config, {
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
      const config = await configure()
      const client = await loadClient()
      try {
        const tokens = await client.authorizationCodeGrant(config, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const idTokenClaims = tokens.claims()!
        const { iss: issuer, sub: subject } = idTokenClaims
        const claims =
          'email' in idTokenClaims
            ? idTokenClaims
            : await client.fetchUserInfo(config, tokens.access_token, subject)
        return { issuer, subject, email: verifiedEmailIn(claims) }
      } catch {
        // The original error may contain codes and tokens.
        throw refusalError('its answer was refused. Begin again at the sign-in page')
      }
    },
  }
}

/** Loaded on demand: most starts of the program, as of a command, need none of its modules. */
function loadClient(): Promise<typeof import('openid-client')> {
  return import('openid-client')
}

/** Returns the address as the provider sends it; null when the provider does not claim to have verified it. */
function verifiedEmailIn({ email, email_verified: isVerified }: Record<string, unknown>): string | null {
  return typeof email === 'string' && isVerified === true && isAddress(email) ? email : null
}

function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text)
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const client = await loadClient()
  const server = new URL(issuer)
  // The settings allow http only for this machine.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : []
  return client.discovery(server, clientId, clientSecret, undefined, { execute, timeout: 10 })
}
