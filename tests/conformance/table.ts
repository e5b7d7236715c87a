/**
 * The table of `docs/api/conformance.md`: every operation of the core and of each generation of the client, and whether
 * Octavo has it. Generated from the contract, the core, the descriptions inside the clients, and the known differences;
 * `npm run conformance` verifies it.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { routes } from '../../src/server/api/api.js'
import type { Endpoint } from '../../src/contract/endpoint.js'
import { groupBy } from '../../src/core/group.js'
import { type Client, clients } from '../client-schemas.js'
import { coreOperations, placeOf } from './core.js'
import { differences } from './differences.js'

/** Operations of a client that are not built, and the text after "not built"; the first match counts. */
const notBuilt: readonly (readonly [RegExp, string])[] = [
  [/^\/(integrations|orgs\/:\/(installations|integrations))\b/, ': the platform for integrations of others'],
  [/\/integration(-block)?s$/, ': the platform for integrations of others'],
  [/\/git\b/, ': no connection to Git hosts yet: folders and zips go in and out'],
  [
    /\/(ask|ai|answers|question-stats|questions|topics|findings|scans|stats)\b/,
    ': no language model is used',
  ],
  [/\/(agent|agents|agent-\w+|agents-setup|channels|context-\w+)(\/|$)/, ': no language model is used'],
  [/\/(conversations|conversations-clusters)\b/, ': no language model is used'],
  [/\/(styleguide|styleguides|styleguide-templates)\b/, ': no language model is used'],
  [/\/mcp-servers\b/, ': tools for a language model; a site itself speaks the protocol at `~octavo/mcp`'],
  [/\/audit-event/, ': the audit log of an installation is at `/orgs/{organizationId}/audit`'],
  [/\/(ads|billing)\b/, ': there is nothing to sell'],
  [/^\/custom-hostnames\b/, ': hostnames are set on the site'],
  [/^\/org\/:\/imports/, ': imports of a space are listed and cancelled at the space'],
  [/\/(fonts|storage)\b/, ': files are uploaded to a space or a change request'],
  [/\/insights\b/, ': events are counted by claims with `insights/events/aggregate`'],
  [/\/(template|templates)$/, ': there are no templates'],
  [/\/translations\b|\/translations-glossary\b/, ' yet'],
  [/\/content\/computed\//, ' yet'],
  [
    /^\/orgs\/:\/sites\/:\/permissions\b/,
    ': a site has no levels of its own: everyone with access to its organization has access to it',
  ],
  [/\/external-links\b/, ': links stand in the header of the site'],
  [/\/duplicate$|\/prewarm$|\/notifications\//, ' yet'],
  [/^\/$/, ': the first page of the installation is at `/`, its state at `/healthz` and `/readyz`'],
]

export interface Row {
  readonly method: string
  readonly path: string
  readonly isCore: boolean
  readonly clients: readonly Client[]
  /** Undefined where it is not built. */
  readonly endpoint: Endpoint | undefined
}

interface Described {
  readonly method: string
  readonly path: string
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

function operationsOf(client: Client): Described[] {
  const file = fileURLToPath(import.meta.resolve(`gitbook-api-${client}/spec/openapi.json`))
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => methods.has(method))
      .map((method) => ({ method: method.toUpperCase(), path })),
  )
}

/** Every operation that the core, a client or Octavo has, by path. */
export function readRows(): Row[] {
  const endpoints = routes.map(({ endpoint }) => endpoint)
  const built = new Map(endpoints.map((one) => [placeOf(one.method, one.path), one]))
  const core = new Set(coreOperations.map((one) => placeOf(one.method, one.path)))
  const had = clients.map((client) => ({ client, operations: operationsOf(client) }))
  const known = new Map<string, Described>()
  const all = [...coreOperations, ...had.flatMap(({ operations }) => operations), ...endpoints.map(inBraces)]
  for (const { method, path } of all) {
    const place = placeOf(method, path)
    if (!known.has(place)) known.set(place, { method, path })
  }
  const places = new Map(
    had.map(({ client, operations }) => [
      client,
      new Set(operations.map(({ method, path }) => placeOf(method, path))),
    ]),
  )
  const rows = [...known].map(([place, { method, path }]) => ({
    method,
    path,
    isCore: core.has(place),
    clients: clients.filter((client) => places.get(client)!.has(place)),
    endpoint: built.get(place),
  }))
  return rows.toSorted((a, b) => compare(a.path, b.path) || compare(a.method, b.method))
}

const inBraces = ({ method, path }: Endpoint): Described => ({
  method,
  path: path.replace(/:(\w+)/g, '{$1}'),
})
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const versions: Readonly<Record<Client, string>> = { '0.143': '0.143.2', '0.202': '0.202.0' }

/** The reason why an operation of a client is not built; throws where none is listed. */
export function reasonOf({ method, path }: Row): string {
  const place = path.replace(/\{\w+\}/g, ':')
  const found = notBuilt.find(([places]) => places.test(place))
  if (found === undefined) throw new Error(`Say in ${import.meta.url} why ${method} ${path} is not built`)
  return found[1]
}

/** Returns the content of the page: a summary, and a table for each part of the API. */
export function tablesOf(rows: readonly Row[]): string {
  const chapters = groupBy(rows, chapterOf)
  const columns = ['', 'operation', 'core', ...clients.map((client) => versions[client]), 'Octavo']
  return [
    summaryOf(rows),
    ...[...chapters]
      .toSorted(([a], [b]) => compare(a, b))
      .map(([title, ones]) =>
        [`## ${title}`, '', line(columns), line(columns.map(() => '---')), ...ones.map(rowOf)].join('\n'),
      ),
  ].join('\n\n')
}

function summaryOf(rows: readonly Row[]): string {
  const count = (which: (row: Row) => boolean): number => rows.filter(which).length
  const line_ = (name: string, which: (row: Row) => boolean, differs: (row: Row) => boolean): string => {
    const [all, built, other] = [
      count(which),
      count((row) => which(row) && row.endpoint !== undefined),
      count((row) => which(row) && differs(row)),
    ]
    return line([name, all, built - other, other, all - built].map(String))
  }
  const head = ['', 'operations', 'work', 'differ', 'not built']
  return [
    line(head),
    line(head.map(() => '---')),
    line_(
      'core',
      ({ isCore }) => isCore,
      () => false,
    ),
    ...clients.map((client) =>
      line_(
        `client ${versions[client]}`,
        (row) => row.clients.includes(client),
        (row) => differencesOf(row, client).length > 0,
      ),
    ),
  ].join('\n')
}

function rowOf(row: Row): string {
  const { method, path, isCore, clients: having, endpoint } = row
  const state = endpoint === undefined ? 'not built' : 'works'
  const differing = clients.flatMap((client) => differencesOf(row, client))
  const why = endpoint === undefined ? `not built${reasonOf(row)}` : 'works'
  const own = having.length === 0 && !isCore ? 'works, of its own' : why
  return line([
    method,
    `\`${path}\``,
    isCore ? state : '',
    ...clients.map((client) => {
      if (!having.includes(client)) return ''
      return differencesOf(row, client).length > 0 ? 'differs' : state
    }),
    differing.length === 0 ? own : `differs: ${[...new Set(differing)].join('; ')}`,
  ])
}

function differencesOf({ endpoint, clients: having }: Row, client: Client): string[] {
  if (endpoint === undefined || !having.includes(client)) return []
  return differences
    .filter((one) => one.clients.includes(client) && one.operations.test(endpoint.operationId))
    .map(({ why }) => why)
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function chapterOf({ path }: Row): string {
  const parts = path.split('/').slice(1)
  if (parts[0] === 'orgs' && parts[2] === 'sites') return 'Sites'
  if (parts[0] === 'orgs' && parts[2] === 'openapi') return 'OpenAPI specifications'
  if (parts[0] === 'orgs' || parts[0] === 'org') return 'Organizations'
  if (parts[0] === 'spaces' && parts[2] === 'change-requests') return 'Change requests'
  if (parts[0] === 'spaces') return 'Spaces'
  if (parts[0] === 'collections') return 'Collections'
  if (parts[0] === 'integrations') return 'Integrations'
  return 'The rest'
}

const page = new URL('../../docs/api/conformance.md', import.meta.url)
const begin = '<!-- table: npm run conformance -- --write -->\n\n'

/** The page as it is, and as it should be. */
export function readPage(): { readonly address: URL; readonly current: string; readonly expected: string } {
  const current = readFileSync(page, 'utf8')
  const [before] = current.split(begin)
  return { address: page, current, expected: `${before}${begin}${tablesOf(readRows())}\n` }
}
