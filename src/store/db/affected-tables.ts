/**
 * Whom a transaction concerns: asked of its statements, so that no verb has to say it and none can forget it.
 *
 * Every statement that writes rows of an organization answers their organization, beside what it was asked for.
 * What cannot be told (rows that change their organization, SQL written by hand) concerns everybody.
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

/**
 * What something that is kept may follow from: the rows of an organization, what the search of an organization finds,
 * those about people, all sites.
 */
export type Concern = OrganizationId | IndexConcern | 'people' | 'sites'

type IndexConcern = `index:${OrganizationId}`

/** Returns what stands for the index of words of an organization, which changes more often than what it is made of. */
export function indexOf(organizationId: OrganizationId): IndexConcern {
  return `index:${organizationId}`
}

/** Concerns of a commit: `everybody` stands for all of them, none for what nothing kept follows from. */
export type Concerns = Set<Concern | 'everybody'>

type Kept = TableFacts['kept']

/** Tables that only SQL written by hand writes to. */
const unlisted: Readonly<Record<string, Kept>> = { search_words: [] }

type Writing = InsertQueryNode | UpdateQueryNode | DeleteQueryNode

/** The name under which a statement answers the organizations of its rows. */
const answered = '~organization'

/** Adds what the statements of a transaction concern. */
export function watchWrites(concerns: Concerns): KyselyPlugin {
  const watched = new WeakMap<object, { readonly node: Writing; readonly kept: Kept }>()
  const addOwn = (kept: Kept, organizationId: OrganizationId) => {
    if (kept.includes('organization')) concerns.add(organizationId)
    if (kept.includes('index')) concerns.add(indexOf(organizationId))
  }
  const byHand = new WeakMap<object, Kept | undefined>()
  const addOthers = (kept: Kept) => {
    for (const one of kept) if (one !== 'organization' && one !== 'index') concerns.add(one)
  }
  return {
    transformQuery({ node, queryId }) {
      if (!isWriting(node)) {
        if (node.kind === 'RawNode') byHand.set(queryId, keptOfRaw(node))
        return node
      }
      const kept = keptOf(tableOf(node))
      if (kept === undefined || !isByOrganization(kept)) {
        byHand.set(queryId, kept)
        return node
      }
      if (UpdateQueryNode.is(node) && movesRows(node)) {
        byHand.set(queryId, undefined)
        return node
      }
      watched.set(queryId, { node, kept })
      return withOrganization(node)
    },
    async transformResult({ result, queryId }) {
      const found = watched.get(queryId)
      if (found !== undefined) {
        if (result.rows.length > 0) addOthers(found.kept)
        return takeOrganizations(found.node, result, (id) => addOwn(found.kept, id))
      }
      if (result.numAffectedRows) {
        const kept = byHand.get(queryId)
        if (kept === undefined) concerns.add('everybody')
        else addOthers(kept)
      }
      return result
    },
  }
}

function isWriting(node: RootOperationNode): node is Writing {
  return InsertQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)
}

interface Target {
  readonly table: string
  /** What the statement calls it. */
  readonly name: string
}

function tableOf(node: Writing): Target | undefined {
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

function keptOf(target: Target | undefined): Kept | undefined {
  return target && (tableFacts[target.table as keyof Tables]?.kept ?? unlisted[target.table])
}

function keptOfRaw({ sqlFragments }: { readonly sqlFragments: readonly string[] }): Kept | undefined {
  const [, table] = /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(sqlFragments[0] ?? '') ?? []
  const kept = table === undefined ? undefined : keptOf({ table, name: table })
  return kept !== undefined && isByOrganization(kept) ? undefined : kept
}

/** True where it takes the organizations of the rows to say whom a statement concerns. */
function isByOrganization(kept: Kept): boolean {
  return kept.includes('organization') || kept.includes('index')
}

/** Rows that go to another organization concern the one that they leave, which the statement does not answer. */
function movesRows({ updates = [] }: UpdateQueryNode): boolean {
  return updates.some(({ column }) => ColumnNode.is(column) && column.column.name === 'organization_id')
}

function withOrganization<Node extends Writing>(node: Node): Node {
  const { table, name } = tableOf(node)!
  const column = ColumnNode.create(table === 'organizations' ? 'id' : 'organization_id')
  const selection = SelectionNode.create(
    AliasNode.create(ReferenceNode.create(column, TableNode.create(name)), IdentifierNode.create(answered)),
  )
  const returning =
    node.returning === undefined
      ? ReturningNode.create([selection])
      : ReturningNode.cloneWithSelections(node.returning, [selection])
  return { ...node, returning }
}

/** Takes the organizations out of the answer again, which is then what the statement answers by itself. */
function takeOrganizations(
  node: Writing,
  result: QueryResult<UnknownRow>,
  add: (organizationId: OrganizationId) => void,
): QueryResult<UnknownRow> {
  for (const row of result.rows) {
    add(row[answered] as OrganizationId)
    delete row[answered]
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
