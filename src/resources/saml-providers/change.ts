/** Validates the settings of a provider, and converts them to columns. */
import { certificatesIn } from '../../access/signin/saml/service.js'
import { ApiError } from '../../contract/errors.js'
import type { Role } from '../../contract/shapes.js'
import type { OrganizationId, TeamId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import { findTeam } from '../teams/store.js'
import type { SamlProviderRow } from './store.js'

export interface ProviderInput {
  readonly label?: string
  readonly entityID?: string
  readonly certificate?: string
  readonly ssoURL?: string
  readonly defaultTeam?: string
  readonly defaultRole?: Role | null
}

type Columns = Partial<
  Pick<
    SamlProviderRow,
    'label' | 'entity_id' | 'certificate' | 'sso_url' | 'default_team_id' | 'default_role'
  >
>

/** Returns the columns to change; an empty text unsets its member. Throws 400 for unusable values. */
export async function toColumns(
  db: Db,
  organizationId: OrganizationId,
  input: ProviderInput,
): Promise<Columns> {
  const { label, entityID, certificate, ssoURL, defaultTeam, defaultRole } = input
  if (certificate) certificatesIn(certificate)
  if (ssoURL && !/^https?:$/.test(new URL(ssoURL).protocol)) {
    throw new ApiError('invalid_request', {
      problem: 'The member "ssoURL" must begin with https:// or http://.',
    })
  }
  if (defaultTeam && (await findTeam(db, organizationId, defaultTeam as TeamId)) === undefined) {
    throw new ApiError('invalid_reference', { member: 'defaultTeam', thing: 'a team' })
  }
  return {
    ...(label !== undefined && { label }),
    ...(entityID !== undefined && { entity_id: entityID.trim() || null }),
    ...(certificate !== undefined && { certificate: certificate.trim() || null }),
    ...(ssoURL !== undefined && { sso_url: ssoURL || null }),
    ...(defaultTeam !== undefined && { default_team_id: (defaultTeam as TeamId) || null }),
    ...(defaultRole !== undefined && { default_role: defaultRole }),
  }
}
