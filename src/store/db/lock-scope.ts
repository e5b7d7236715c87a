/**
 * Advisory locks: the scope that a transaction locks, so that conflicting writers on PostgreSQL are serialized.
 *
 * Hierarchical: the installation contains organizations and people, an organization contains spaces. An exclusive lock
 * takes shared locks of what is above it. The default scope is everything. A transaction that writes outside its scope
 * is rolled back and runs again with a wider one, so no caller has to name its locks, and none can forget one. Locks
 * are acquired before anything is read, in one order, so there are no deadlocks. SQLite has one writer and needs none.
 */
import type { OperationNode, RootOperationNode } from 'kysely'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { tableFacts } from './table-facts.js'
import type { Tables } from './tables.js'

export type LockScope = 'everything' | PartialLockScope

export interface PartialLockScope {
  readonly organizations: readonly OrganizationId[]
  /** Locks only this space, and its organization shared with writers of its other spaces. */
  readonly space?: SpaceId | undefined
  /** Rows of people and no organization: accounts, and ways to sign in. */
  readonly people?: boolean
}

/** For writers of single rows that are correct under any concurrency: jobs, objects, times of a last use. */
export const noLocks: PartialLockScope = { organizations: [] }

export const peopleLock: PartialLockScope = { organizations: [], people: true }

/** Thrown inside a transaction whose scope is too narrow, and caught where it began. */
export class LockUpgradeRequired extends Error {
  constructor(readonly requiredScope: LockScope) {
    super('The transaction runs again with the locks that it turned out to need')
  }
}

/** Columns of `spaces` that change with the content; all others need the lock of the organization. */
const contentColumns = new Set([
  'revision_id',
  'head_number',
  'updated_at',
  'next_change_request_number',
  'comments',
])

/** A lock by name, shared or exclusive. */
export interface Lock {
  readonly name: string
  readonly isShared: boolean
}

/** Returns the locks of a scope in the one order of acquisition: outer ones first, then by name. */
export function locksOf(scope: LockScope): Lock[] {
  if (scope === 'everything') return [{ name: 'installation', isShared: false }]
  const { organizations, space, people } = scope
  return [
    { name: 'installation', isShared: true },
    ...[...new Set(organizations)]
      .toSorted()
      .map((id) => ({ name: `organization ${id}`, isShared: space !== undefined })),
    ...(people === true ? [{ name: 'people', isShared: false }] : []),
    ...(space === undefined ? [] : [{ name: `space ${space}`, isShared: false }]),
  ]
}

/** True when the scope excludes other writers of the organization. */
export function locksOrganization(scope: LockScope, id: OrganizationId): boolean {
  return scope === 'everything' || (scope.space === undefined && scope.organizations.includes(id))
}

/** True when the scope excludes other writers of the space, as far as is known without reading its organization. */
export function locksSpace(scope: LockScope, id: SpaceId): boolean {
  if (scope === 'everything' || scope.space === id) return true
  return scope.space === undefined && scope.organizations.length > 0
}

/** Returns the scope extended by an organization. */
export function withOrganization(scope: LockScope, id: OrganizationId): LockScope {
  if (scope === 'everything') return scope
  const { space: _, ...wide } = scope
  return { ...wide, organizations: [...new Set([...scope.organizations, id])] }
}

/**
 * Returns the scope that a statement needs when the current one is too narrow, else undefined; `written` is what it writes.
 * `created` are the organizations that the transaction itself created, whose ids no other transaction knows; it is added to.
 */
export function widenScope(
  written: WriteTarget | undefined,
  scope: LockScope,
  created: Set<OrganizationId>,
): LockScope | undefined {
  if (scope === 'everything' || written === undefined) return undefined
  const isContentOnly = written.table === 'spaces' && written.isContentOnly
  const lock = isContentOnly ? 'space' : tableFacts[written.table as keyof Tables]?.locks
  if (lock === 'anyone') return undefined
  if (lock === 'people') return scope.people === true ? undefined : { ...scope, people: true }
  if (written.table === 'organizations') for (const id of written.ids) created.add(id as OrganizationId)
  const foreign = written.organizations.find((id) => !scope.organizations.includes(id) && !created.has(id))
  if (foreign !== undefined) return withOrganization(scope, foreign)
  if (scope.organizations.length === 0) return created.size > 0 ? undefined : 'everything'
  if (scope.space === undefined) return undefined
  const isInside = lock === 'space' && written.spaces.every((id) => id === scope.space)
  return isInside ? undefined : withOrganization(scope, scope.organizations[0]!)
}

export interface WriteTarget {
  readonly table: string
  /** Of inserted rows. */
  readonly ids: readonly unknown[]
  readonly organizations: readonly OrganizationId[]
  readonly spaces: readonly unknown[]
  /** True for an update of nothing but `contentColumns`. */
  readonly isContentOnly: boolean
}

/** Returns the table that a statement writes, and the organizations and spaces that it writes into rows. */
export function readWritten(node: RootOperationNode): WriteTarget | undefined {
  switch (node.kind) {
    case 'InsertQueryNode': {
      const columns = (node.columns ?? []).map(({ column }) => column.name)
      const of = (name: string) => insertedValues(node.values, columns.indexOf(name))
      return {
        table: tableName(node.into),
        ids: of('id'),
        organizations: of('organization_id') as OrganizationId[],
        spaces: of('space_id'),
        isContentOnly: false,
      }
    }
    case 'UpdateQueryNode': {
      const updates = (node.updates ?? []).map(({ column, value }) => ({
        name: (column as { column?: { name?: string } }).column?.name ?? '',
        value: (value as { value?: unknown }).value,
      }))
      const of = (name: string) => updates.filter((one) => one.name === name).map(({ value }) => value)
      return {
        table: tableName(node.table),
        ids: [],
        organizations: of('organization_id') as OrganizationId[],
        spaces: of('space_id'),
        isContentOnly: updates.every(({ name }) => contentColumns.has(name)),
      }
    }
    case 'DeleteQueryNode':
      return {
        table: tableName(node.from.froms[0]),
        ids: [],
        organizations: [],
        spaces: [],
        isContentOnly: false,
      }
    case 'RawNode': {
      const [, table] =
        /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(node.sqlFragments[0] ?? '') ?? []
      return table === undefined
        ? undefined
        : { table, ids: [], organizations: [], spaces: [], isContentOnly: false }
    }
    default:
      return undefined
  }
}

function tableName(node: OperationNode | undefined): string {
  const table = node as { table?: { identifier?: { name?: string } }; node?: OperationNode } | undefined
  if (table?.node !== undefined) return tableName(table.node)
  return table?.table?.identifier?.name ?? ''
}

/** The values of one column in an insert; none when it has no list of values. */
function insertedValues(values: OperationNode | undefined, at: number): unknown[] {
  const rows = (values as { values?: readonly { values?: readonly unknown[] }[] } | undefined)?.values
  if (at < 0 || rows === undefined) return []
  return rows.map(({ values: row }) => {
    const value = row?.[at]
    return typeof value === 'object' && value !== null && 'value' in value ? value.value : value
  })
}
