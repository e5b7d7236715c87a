/** Mounts the sign-in methods below `/~octavo/`: password, mailed link, SAML, and OpenID when the settings name a provider. */
import type { FastifyInstance } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import type { Settings } from '../settings/settings.js'
import { cookiesOf } from './browser.js'
import { callbackPath, mountOpenId } from './oidc.js'
import { createOpenIdProvider } from './oidc-client.js'
import { mountInvitations } from './invitations.js'
import { mountPassword } from './password.js'
import { mountSaml } from './saml.js'
import { mountSignInPages } from './sign-in.js'

export type SignInSettings = Partial<
  Pick<Settings, 'smtpUrl' | 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcName'>
>

export function mountSignIn(
  server: FastifyInstance,
  mounting: MountOptions,
  settings: SignInSettings = {},
): void {
  const { addresses } = mounting.services
  const cookies = cookiesOf(addresses.base)
  const { smtpUrl, oidcIssuer, oidcClientId, oidcClientSecret, oidcName = 'OpenID' } = settings
  const provider =
    oidcIssuer !== undefined && oidcClientId !== undefined && oidcClientSecret !== undefined
      ? createOpenIdProvider(
          { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret, name: oidcName },
          addresses.app(callbackPath),
        )
      : undefined
  const methods = { sendsMail: smtpUrl !== undefined, openId: provider?.name }
  mountSignInPages(server, mounting, { methods, cookies })
  mountPassword(server, mounting)
  mountInvitations(server, mounting)
  mountSaml(server, mounting, cookies)
  if (provider !== undefined) mountOpenId(server, mounting, { provider, cookies })
}
