/**
 * What a transaction has to itself, so that writers on PostgreSQL come after each other where they could meet.
 *
 * The installation holds organizations and people, an organization holds spaces: who has a thing alone shares what
 * is above it. Who names nothing has everything. A transaction that writes what it does not hold is undone and
 * begins again holding that too, so no verb has to name its locks, and none can forget one. What is taken is taken
 * before anything is read, in one order, so nobody waits in a circle. SQLite has one writer and needs none of it.
 */
import type { OperationNode, RootOperationNode } from 'kysely'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { tableFacts } from './table-facts.js'
import type { Tables } from './tables.js'

export type Hold = 'everything' | Part

export interface Part {
  readonly organizations: readonly OrganizationId[]
  /** When it is given, only this space is held, and its organization shared with who writes in other spaces. */
  readonly space?: SpaceId | undefined
  /** Whatever belongs to people and no organization: accounts, and ways to sign in. */
  readonly people?: boolean
}

/** For writers of single rows that are right whatever others do: jobs, objects, times of a last use. */
export const nothing: Part = { organizations: [] }

export const onlyPeople: Part = { organizations: [], people: true }

/** Thrown inside a transaction that holds too little, and caught where it began. */
export class NeedsMore extends Error {
  constructor(readonly wider: Hold) {
    super('The transaction begins again with what it turned out to write')
  }
}

/** What changes of a space when somebody writes in it; all else is said of it by its organization. */
const inner = new Set(['revision_id', 'head_number', 'updated_at', 'next_change_request_number', 'comments'])

/** A lock by name, and whether others may have it too. */
export interface Lock {
  readonly name: string
  readonly isShared: boolean
}

/** Returns the locks of a hold in the order in which everybody takes them: outer ones first, then by name. */
export function locksOf(hold: Hold): Lock[] {
  if (hold === 'everything') return [{ name: 'installation', isShared: false }]
  const { organizations, space, people } = hold
  return [
    { name: 'installation', isShared: true },
    ...[...new Set(organizations)]
      .toSorted()
      .map((id) => ({ name: `organization ${id}`, isShared: space !== undefined })),
    ...(people === true ? [{ name: 'people', isShared: false }] : []),
    ...(space === undefined ? [] : [{ name: `space ${space}`, isShared: false }]),
  ]
}

/** True when nobody else writes in the organization meanwhile. */
export function holdsOrganization(hold: Hold, id: OrganizationId): boolean {
  return hold === 'everything' || (hold.space === undefined && hold.organizations.includes(id))
}

/** True when nobody else writes in the space meanwhile, as far as can be told without asking whose it is. */
export function holdsSpace(hold: Hold, id: SpaceId): boolean {
  if (hold === 'everything' || hold.space === id) return true
  return hold.space === undefined && hold.organizations.length > 0
}

/** Returns the hold with an organization beside what it has. */
export function withOrganization(hold: Hold, id: OrganizationId): Hold {
  if (hold === 'everything') return hold
  const { space: _, ...wide } = hold
  return { ...wide, organizations: [...new Set([...hold.organizations, id])] }
}

/**
 * Returns the hold that a statement needs when the given one is too little for it, else undefined. `born` are the
 * organizations that the transaction itself made, and whose ids nobody else knows; it is added to.
 */
export function widerFor(node: RootOperationNode, hold: Hold, born: Set<OrganizationId>): Hold | undefined {
  if (hold === 'everything') return undefined
  const written = readWritten(node)
  if (written === undefined) return undefined
  const isInner = written.table === 'spaces' && written.isInner
  const home = isInner ? 'space' : tableFacts[written.table as keyof Tables]?.held
  if (home === 'anyone') return undefined
  if (home === 'people') return hold.people === true ? undefined : { ...hold, people: true }
  if (written.table === 'organizations') for (const id of written.ids) born.add(id as OrganizationId)
  const foreign = written.organizations.find((id) => !hold.organizations.includes(id) && !born.has(id))
  if (foreign !== undefined) return withOrganization(hold, foreign)
  if (hold.organizations.length === 0) return born.size > 0 ? undefined : 'everything'
  if (hold.space === undefined) return undefined
  const isInside = home === 'space' && written.spaces.every((id) => id === hold.space)
  return isInside ? undefined : withOrganization(hold, hold.organizations[0]!)
}

interface Written {
  readonly table: string
  /** Of what is inserted. */
  readonly ids: readonly unknown[]
  readonly organizations: readonly OrganizationId[]
  readonly spaces: readonly unknown[]
  /** True for an update of nothing but `inner` columns. */
  readonly isInner: boolean
}

/** Reads off a statement which table it writes, and the organizations and spaces that it writes into rows. */
function readWritten(node: RootOperationNode): Written | undefined {
  switch (node.kind) {
    case 'InsertQueryNode': {
      const columns = (node.columns ?? []).map(({ column }) => column.name)
      const of = (name: string) => insertedValues(node.values, columns.indexOf(name))
      return {
        table: tableName(node.into),
        ids: of('id'),
        organizations: of('organization_id') as OrganizationId[],
        spaces: of('space_id'),
        isInner: false,
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
        isInner: updates.every(({ name }) => inner.has(name)),
      }
    }
    case 'DeleteQueryNode':
      return {
        table: tableName(node.from.froms[0]),
        ids: [],
        organizations: [],
        spaces: [],
        isInner: false,
      }
    case 'RawNode': {
      const [, table] =
        /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(node.sqlFragments[0] ?? '') ?? []
      return table === undefined
        ? undefined
        : { table, ids: [], organizations: [], spaces: [], isInner: false }
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

/** The values of one column in an insert; none when they are not given as values. */
function insertedValues(values: OperationNode | undefined, at: number): unknown[] {
  const rows = (values as { values?: readonly { values?: readonly unknown[] }[] } | undefined)?.values
  if (at < 0 || rows === undefined) return []
  return rows.map(({ values: row }) => {
    const value = row?.[at]
    return typeof value === 'object' && value !== null && 'value' in value ? value.value : value
  })
}
