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
import type { Tables } from './tables.js'

/** What something that is kept may follow from: the rows of an organization, those about people, all sites. */
export type Concern = OrganizationId | 'people' | 'sites'

/** Concerns of a commit: `everybody` stands for all of them, none for what nothing kept follows from. */
export type Concerns = Set<Concern | 'everybody'>

interface Kind {
  /** The rows belong to an organization, and what is kept of it may follow from them. */
  readonly ofOrganization?: true
  /** What is kept of a person, or of all sites, may follow from them too. */
  readonly also?: 'people' | 'sites'
}

/** Written once and named by what it is, or read whenever it is asked for. */
const neverKept: Kind = {}
const ofOrganization: Kind = { ofOrganization: true }
const ofPeople: Kind = { also: 'people' }

const kinds: Readonly<Record<keyof Tables, Kind>> = {
  users: ofPeople,
  api_tokens: ofPeople,
  sessions: ofPeople,
  // What a session opens follows from the memberships of its user and from what their organizations demand.
  members: { ofOrganization: true, also: 'people' },
  organizations: { ofOrganization: true, also: 'people' },
  saml_providers: { ofOrganization: true, also: 'people' },
  spaces: ofOrganization,
  collections: ofOrganization,
  grants: ofOrganization,
  teams: ofOrganization,
  team_members: ofOrganization,
  change_requests: ofOrganization,
  email_domains: ofOrganization,
  link_invites: ofOrganization,
  sites: { ofOrganization: true, also: 'sites' },
  site_spaces: ofOrganization,
  directory: ofOrganization,
  provider_accounts: ofPeople,
  known_devices: neverKept,
  sign_in_links: neverKept,
  saml_requests: neverKept,
  saml_assertions: neverKept,
  audit_events: neverKept,
  contributions: neverKept,
  revisions: neverKept,
  objects: neverKept,
  blobs: neverKept,
  departures: neverKept,
  jobs: neverKept,
  search_spaces: neverKept,
  search_pages: neverKept,
  search_sections: neverKept,
  commits: neverKept,
}

/** Tables that only SQL written by hand writes to. */
const unlisted: Readonly<Record<string, Kind>> = { search_words: neverKept }

type Writing = InsertQueryNode | UpdateQueryNode | DeleteQueryNode

/** The name under which a statement answers the organizations of its rows. */
const answered = '~organization'

/** Adds what the statements of a transaction concern. */
export function watchWrites(concerns: Concerns): KyselyPlugin {
  const watched = new WeakMap<object, { readonly node: Writing; readonly kind: Kind }>()
  const byHand = new WeakMap<object, Kind | undefined>()
  return {
    transformQuery({ node, queryId }) {
      if (!isWriting(node)) {
        if (node.kind === 'RawNode') byHand.set(queryId, kindOfRaw(node))
        return node
      }
      const kind = kindOf(tableOf(node))
      if (kind?.ofOrganization === undefined || (UpdateQueryNode.is(node) && movesRows(node))) {
        byHand.set(queryId, kind?.ofOrganization ? undefined : kind)
        return node
      }
      watched.set(queryId, { node, kind })
      return withOrganization(node)
    },
    async transformResult({ result, queryId }) {
      const found = watched.get(queryId)
      if (found !== undefined) {
        if (found.kind.also !== undefined && result.rows.length > 0) concerns.add(found.kind.also)
        return takeOrganizations(found.node, result, concerns)
      }
      if (result.numAffectedRows) {
        const kind = byHand.get(queryId)
        if (kind === undefined) concerns.add('everybody')
        else if (kind.also !== undefined) concerns.add(kind.also)
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

function kindOf(target: Target | undefined): Kind | undefined {
  return target && (kinds[target.table as keyof Tables] ?? unlisted[target.table])
}

function kindOfRaw({ sqlFragments }: { readonly sqlFragments: readonly string[] }): Kind | undefined {
  const [, table] = /^\s*(?:insert into|update|delete from)\s+"?(\w+)/i.exec(sqlFragments[0] ?? '') ?? []
  const kind = table === undefined ? undefined : kindOf({ table, name: table })
  return kind?.ofOrganization ? undefined : kind
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
  concerns: Concerns,
): QueryResult<UnknownRow> {
  for (const row of result.rows) {
    concerns.add(row[answered] as OrganizationId)
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
