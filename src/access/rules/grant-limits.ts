/**
 * Privilege escalation guard: no one grants a role above their own level, whether by name, to a team, by an invite
 * link, as a default level, or by moving a resource where it inherits one. A grant on a collection also applies to
 * everything inside that inherits, so it is checked there too.
 */
import type { CollectionId, OrganizationId } from '../../core/ids.js'
import { type DefaultLevel, type Role, roles } from '../../contract/shapes.js'
import { ApiError } from '../../contract/errors.js'
import type { Db } from '../../store/db/database.js'
import { requireOnEach } from './require-on-each.js'
import { type ContentKind, type StepRow, groupSteps, stepColumns, withSteps } from './level-facts.js'
import { listDescendants } from './descendants.js'
import { type Level, type Reader, reaches, strongest } from './levels.js'

/** Throws 403 for a role above the granter's own level. */
export function requireGrantable(level: Level, role: Role | null): void {
  if (role !== null && !reaches(level, role)) {
    throw new ApiError('forbidden', { action: `give the role "${role}"`, role })
  }
}

/** A resource on which a role is granted, and the granter's level on it. */
export interface GrantScope {
  readonly kind: ContentKind | 'organization'
  readonly id: string
  readonly level: Level
}

/** The same for a grant on a resource: on a collection, everything inside that inherits receives it too. */
export async function requireGrantableOn(
  db: Db,
  reader: Reader,
  { kind, id, level }: GrantScope,
  role: Role | null,
): Promise<void> {
  requireGrantable(level, role)
  if (kind !== 'collection' || role === null || reader.role === 'admin') return
  const inside = await listDescendants(db, reader.organizationId, id as CollectionId)
  const reached = inside.filter(({ inherits }) => inherits).map((part) => ({ ...part, needs: role }))
  const action = `give the role "${role}" on this collection`
  await requireOnEach(db, reader, action, reached)
}

/**
 * Returns the strongest role that a default level gives to any user, null for none. `inherit` gives what the ancestors
 * give: the roles granted there, the default levels, and at the top the organization roles of members; admins need no
 * grant, so that is `create` at most.
 */
export async function maxRoleByDefault(
  db: Db,
  organizationId: OrganizationId,
  level: DefaultLevel,
  parent: CollectionId | null,
): Promise<Role | null> {
  if (level !== 'inherit') return level
  const rows = parent === null ? [] : await loadAncestors(db, organizationId, parent)
  const groups = groupSteps(rows)
  const found: Level[] = []
  for (let at: string | null = parent; at !== null;) {
    const grants: readonly StepRow[] = groups.get(at) ?? []
    found.push(...grants.map((row) => row.grant_role as Level))
    const [step] = grants
    if (step === undefined || step.step_level !== 'inherit') {
      return strongest([...found, (step?.step_level ?? null) as Level])
    }
    at = step.step_parent
  }
  return strongest([...found, maxMemberRole])
}

/** The strongest role that members have who are not admins. */
const maxMemberRole = roles[roles.length - 2]!

async function loadAncestors(db: Db, organizationId: OrganizationId, id: CollectionId): Promise<StepRow[]> {
  return withSteps(db, organizationId, 'collection', [id])
    .selectFrom('steps')
    .leftJoin('grants as granted', (join) =>
      join
        .on('granted.organization_id', '=', organizationId)
        .onRef('granted.target_id', '=', 'steps.id' as never),
    )
    .select(stepColumns)
    .execute()
}
