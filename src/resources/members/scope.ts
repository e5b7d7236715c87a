/** Route scope `/members/:userId` of an organization: guests see themselves, members see each other. */
import type { UserId } from '../../core/ids.js'
import { type Verdict, reaches } from '../../access/rules/levels.js'
import { type LoadRequest, optionalResourceScope, resourceScope } from '../../access/route/scope.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { type MemberRow, findMember } from './store.js'

export interface MemberContext {
  readonly row: MemberRow
  readonly isSelf: boolean
}

type MemberAction = 'view' | 'administer' | 'end'

interface MemberResources {
  readonly organization: OrganizationContext
  readonly member: MemberContext | undefined
}

async function find(
  { db, actor }: LoadRequest,
  id: string,
  { organization }: Pick<MemberResources, 'organization'>,
) {
  const row = await findMember(db, organization.row.id, id as UserId)
  return row && { row, isSelf: row.user_id === actor.userId }
}

function authorize(action: MemberAction, { organization: { role }, member }: MemberResources): Verdict {
  if (role === 'admin' || (member?.isSelf && action !== 'administer')) return 'yes'
  if (!reaches(role, 'read') && !member?.isSelf) return 'hidden'
  return action === 'view' ? 'yes' : { needs: 'admin' }
}

const step = { key: 'member', noun: 'member', find, authorize, visibleIf: 'view' } as const

export const inMember = resourceScope(inOrganization, 'userId', step)

/** The same for idempotent removal. */
export const atMember = optionalResourceScope(inOrganization, 'userId', step)
