/**
 * Cache tags of a transaction: derived from its statements, so that no caller has to name them, and none can forget one.
 *
 * Every statement that writes rows of an organization also returns their organization. Where that is unknown (rows that
 * change their organization, raw SQL), the commit invalidates all caches.
 */
import {
  AliasNode,
  ColumnNode,
  DeleteQueryNode,
  DeleteResult,
  IdentifierNode,
  InsertQueryNode,
  InsertResult,
  ReferenceNode,
  ReturningNode,
  SelectionNode,
  TableNode,
  UpdateQueryNode,
  UpdateResult,
} from 'kysely'
import type { KyselyPlugin, OperationNode, QueryResult, RootOperationNode, UnknownRow } from 'kysely'
import type { OrganizationId } from '../../core/ids.js'
import { type TableFacts, tableFacts } from './table-facts.js'
import type { Tables } from './tables.js'

/** What a cached value may depend on: rows of an organization, its search index, rows of people, all sites. */
export type CacheTag = OrganizationId | IndexTag | 'people' | 'sites'

type IndexTag = `index:${OrganizationId}`

/** Returns the tag of the search index of an organization, which changes more often than its content. */
export function indexTag(organizationId: OrganizationId): IndexTag {
  return `index:${organizationId}`
}

/** Tags of a commit: `everybody` stands for all of them; none when no cached value depends on it. */
export type CommitTags = Set<CacheTag | 'everybody'>

type InvalidatedCaches = TableFacts['invalidates']

/** Tables that only raw SQL writes to. */
const unlisted: Readonly<Record<string, InvalidatedCaches>> = { search_words: [] }

type WriteNode = InsertQueryNode | UpdateQueryNode | DeleteQueryNode

/** The alias under which a statement returns the organizations of its rows. */
const organizationAlias = '~organization'

/** Returns a plugin that adds the tags of a transaction's statements. */
export function collectCommitTags(tags: CommitTags): KyselyPlugin {
  const tracked = new WeakMap<object, TrackedStatement>()
  return {
    transformQuery({ node, queryId }) {
      const statement = trackTags(node)
      tracked.set(queryId, statement)
      return statement.node
    },
    transformResult: async ({ result, queryId }) => tracked.get(queryId)?.collect(result, tags) ?? result,
  }
}

/** A statement that also returns the organizations of the rows that it writes. */
export interface TrackedStatement {
  readonly node: RootOperationNode
  /** Adds the tags of what was written; returns the result of the original statement. */
  collect(result: QueryResult<UnknownRow>, tags: CommitTags): QueryResult<UnknownRow>
}

/** Returns the statement as it is executed to know its tags. */
export function trackTags(node: RootOperationNode): TrackedStatement {
  if (!isWriting(node)) {
    const invalidated = node.kind === 'RawNode' ? invalidatedByRaw(node) : undefined
    return { node, collect: (result, tags) => addTags(tags, invalidated, result) }
  }
  const invalidated = invalidatedBy(tableOf(node))
  const isMoving = UpdateQueryNode.is(node) && movesRows(node)
  if (invalidated === undefined || !isByOrganization(invalidated) || isMoving) {
    const known = invalidated !== undefined && isByOrganization(invalidated) ? undefined : invalidated
    return { node, collect: (result, tags) => addTags(tags, known, result) }
  }
  return {
    node: returningOrganization(node),
    collect(result, tags) {
      if (result.rows.length > 0) addOthers(tags, invalidated)
      return removeOrganizations(node, result, (organizationId) => {
        if (invalidated.includes('organization')) tags.add(organizationId)
        if (invalidated.includes('index')) tags.add(indexTag(organizationId))
      })
    },
  }
}

/** Adds what does not depend on organizations; `everybody` where that is not known. */
function addTags(
  tags: CommitTags,
  invalidated: InvalidatedCaches | undefined,
  result: QueryResult<UnknownRow>,
): QueryResult<UnknownRow> {
  if (!result.numAffectedRows) return result
  if (invalidated === undefined) tags.add('everybody')
  else addOthers(tags, invalidated)
  return result
}

function addOthers(tags: CommitTags, invalidated: InvalidatedCaches): void {
  for (const one of invalidated) if (one !== 'organization' && one !== 'index') tags.add(one)
}

function isWriting(node: RootOperationNode): node is WriteNode {
  return InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)
}

interface Target {
  readonly table: string
  /** Its name or alias in the statement. */
  readonly name: string
}

function tableOf(node: WriteNode): Target | undefined {
  if (InsertQueryNode.is(node)) return targetOf(node.into)
  return targetOf(UpdateQueryNode.is(node) ? node.table : node.from.froms[0])
}

function targetOf(node: OperationNode | undefined): Target | undefined {
  if (node === undefined) return undefined
  if (AliasNode.is(node)) {
    const inner = targetOf(node.node)
    return inner && IdentifierNode.is(node.alias) ? { ...inner, name: node.alias.name } : undefined
  }
  if (!TableNode.is(node)) return undefined
  const { name } = node.table.identifier
  return { table: name, name }
}

function invalidatedBy(target: Target | undefined): InvalidatedCaches | undefined {
  return target && (tableFacts[target.table as keyof Tables]?.invalidates ?? unlisted[target.table])
}

function invalidatedByRaw({
  sqlFragments,
}: {
  readonly sqlFragments: readonly string[]
}): InvalidatedCaches | undefined {
  const [, table] = /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(sqlFragments[0] ?? '') ?? []
  const invalidated = table === undefined ? undefined : invalidatedBy({ table, name: table })
  return invalidated !== undefined && isByOrganization(invalidated) ? undefined : invalidated
}

/** True where the tags depend on the organizations of the written rows. */
function isByOrganization(invalidated: InvalidatedCaches): boolean {
  return invalidated.includes('organization') || invalidated.includes('index')
}

/** Rows that change their organization invalidate the caches of the former one, which the statement does not return. */
function movesRows({ updates = [] }: UpdateQueryNode): boolean {
  return updates.some(({ column }) => ColumnNode.is(column) && column.column.name === 'organization_id')
}

function returningOrganization<Node extends WriteNode>(node: Node): Node {
  const { table, name } = tableOf(node)!
  const column = ColumnNode.create(table === 'organizations' ? 'id' : 'organization_id')
  const selection = SelectionNode.create(
    AliasNode.create(
      ReferenceNode.create(column, TableNode.create(name)),
      IdentifierNode.create(organizationAlias),
    ),
  )
  const returning =
    node.returning === undefined
      ? ReturningNode.create([selection])
      : ReturningNode.cloneWithSelections(node.returning, [selection])
  return { ...node, returning }
}

/** Removes the organizations from the result, so that it is what the original statement returns. */
function removeOrganizations(
  node: WriteNode,
  result: QueryResult<UnknownRow>,
  add: (organizationId: OrganizationId) => void,
): QueryResult<UnknownRow> {
  for (const row of result.rows) {
    add(row[organizationAlias] as OrganizationId)
    delete row[organizationAlias]
  }
  if (node.returning !== undefined) return result
  const count = result.numAffectedRows ?? 0n
  const summary = InsertQueryNode.is(node)
    ? new InsertResult(undefined, count)
    : UpdateQueryNode.is(node)
      ? new UpdateResult(count, undefined)
      : new DeleteResult(count)
  return { ...result, rows: [summary as unknown as UnknownRow] }
}
