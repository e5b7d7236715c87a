/**
 * Nobody gives more than they have, in whatever way it is given: by name, to a team, by a link, as a default level,
 * or by putting a thing where it inherits one. What is given on a collection is given on all inside that looks up to
 * it, so it is judged there too.
 */
import type { CollectionId, OrganizationId } from '../../core/ids.js'
import { type DefaultLevel, type Role, roles } from '../../contract/shapes.js'
import { ApiError } from '../../contract/errors.js'
import type { Db } from '../../store/db/database.js'
import { requireOnEach } from './each.js'
import { type ContentKind, type StepRow, groupSteps, stepColumns, withSteps } from './facts.js'
import { listInside } from './inside.js'
import { type Level, type Reader, reaches, strongest } from './levels.js'

/** Throws 403 for a role above one's own level. */
export function requireGivable(level: Level, role: Role | null): void {
  if (role !== null && !reaches(level, role)) {
    throw new ApiError('forbidden', { action: `give the role "${role}"`, role })
  }
}

/** A thing on which somebody gives something, and their level there. */
export interface GivingPlace {
  readonly kind: ContentKind | 'organization'
  readonly id: string
  readonly level: Level
}

/** The same for what is given on a thing: of a collection, everything inside that looks up to it gets it too. */
export async function requireGivableOn(
  db: Db,
  reader: Reader,
  { kind, id, level }: GivingPlace,
  role: Role | null,
): Promise<void> {
  requireGivable(level, role)
  if (kind !== 'collection' || role === null || reader.role === 'admin') return
  const inside = await listInside(db, reader.organizationId, id as CollectionId)
  const reached = inside.filter(({ looksUp }) => looksUp).map((part) => ({ ...part, needs: role }))
  const action = `give the role "${role}" on this collection`
  await requireOnEach(db, reader, action, reached)
}

/**
 * Returns the most that a default level gives to anybody, null for nothing. To inherit gives what is said above:
 * the roles that were given there, the default levels, and at the top what members are in the organization; admins
 * need nothing from anybody, so that is `create` at most.
 */
export async function givenByDefault(
  db: Db,
  organizationId: OrganizationId,
  level: DefaultLevel,
  parent: CollectionId | null,
): Promise<Role | null> {
  if (level !== 'inherit') return level
  const rows = parent === null ? [] : await loadWay(db, organizationId, parent)
  const groups = groupSteps(rows)
  const given: Level[] = []
  for (let at: string | null = parent; at !== null;) {
    const here: readonly StepRow[] = groups.get(at) ?? []
    given.push(...here.map((row) => row.grant_role as Level))
    const [step] = here
    if (step === undefined || step.step_level !== 'inherit') {
      return strongest([...given, (step?.step_level ?? null) as Level])
    }
    at = step.step_parent
  }
  return strongest([...given, mostOfMembers])
}

/** The strongest role that members have who are not admins. */
const mostOfMembers = roles[roles.length - 2]!

async function loadWay(db: Db, organizationId: OrganizationId, id: CollectionId): Promise<StepRow[]> {
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
