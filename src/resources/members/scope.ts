/** The step `/members/:userId` of an organization: guests see themselves, members each other. */
import type { UserId } from '../../core/ids.js'
import { type Verdict, reaches } from '../../access/rules/levels.js'
import { type LoadRequest, perhaps, place } from '../../access/route/scope.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { type MemberRow, findMember } from './store.js'

export interface MemberHere {
  readonly row: MemberRow
  readonly isSelf: boolean
}

type MemberAction = 'view' | 'administer' | 'end'

interface Things {
  readonly organization: OrganizationOf
  readonly member: MemberHere | undefined
}

async function find({ db, actor }: LoadRequest, id: string, { organization }: Pick<Things, 'organization'>) {
  const row = await findMember(db, organization.row.id, id as UserId)
  return row && { row, isSelf: row.user_id === actor.userId }
}

function judge(action: MemberAction, { organization: { role }, member }: Things): Verdict {
  if (role === 'admin' || (member?.isSelf && action !== 'administer')) return 'yes'
  if (!reaches(role, 'read') && !member?.isSelf) return 'hidden'
  return action === 'view' ? 'yes' : { needs: 'admin' }
}

const step = { key: 'member', thing: 'member', find, judge, seen: 'view' } as const

export const inMember = place(inOrganization, 'userId', step)

/** The same for ending a membership, which may be over already. */
export const atMember = perhaps(inOrganization, 'userId', step)
