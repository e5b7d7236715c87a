/** Keys begin with the organization, references stay within it, and older databases are migrated without changes of rows. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { type CatalogTable, type Column, readCatalog } from '../../../tests/catalog.js'
import { describeEngines } from '../../../tests/engines.js'
import type { Db, Tx } from './database.js'
import { openDatabase } from './open.js'
import { listViolations } from './invariants.js'
import { migrations } from './migrate.js'
import { tableFacts, tablesOfOrganizations } from './table-facts.js'
import type { Tables } from './tables.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

const names = Object.keys(tableFacts) as (keyof Tables)[]
const upTo = (last: string) => migrations.slice(0, migrations.findIndex(({ name }) => name === last) + 1)
/** The schema without a directory, when an id alone was a key. */
const before = upTo('0015-collection')
const withKeys = upTo('0018-keys')
type Row = Record<string, unknown>

/** References of rows, by table; the other columns have arbitrary values. The same for two organizations. */
const rowsOfTables: Partial<Record<keyof Tables, (organization: string) => Row>> = {
  users: (one) => ({ id: `user of ${one}`, email: one }),
  organizations: (one) => ({ id: one, email_domains: '[]' }),
  members: (one) => ({ user_id: `user of ${one}`, role: 'admin', disabled: 0 }),
  former_names: (one) => ({ user_id: `user of ${one}` }),
  teams: () => ({ id: 'team' }),
  team_members: (one) => ({ team_id: 'team', user_id: `user of ${one}` }),
  collections: () => ({ id: 'collection', parent_id: null }),
  grants: (one) => ({ target_id: 'space', grantee_id: `user of ${one}` }),
  link_invites: () => ({ target_id: 'space' }),
  saml_providers: () => ({ id: 'provider' }),
  saml_requests: () => ({ provider_id: 'provider' }),
  saml_assertions: () => ({ provider_id: 'provider' }),
  sites: () => ({ id: 'site' }),
  spaces: () => ({ id: 'space', collection_id: 'collection', revision_id: 'revision', edit_mode: 'locked' }),
  change_requests: () => ({
    id: 'change request',
    space_id: 'space',
    status: 'open',
    revision_id: 'revision',
    revision_initial_id: 'revision',
    revision_merged_ancestor_id: 'revision',
    revision_merged_id: null,
    number: 1,
  }),
  contributions: () => ({ change_request_id: 'change request' }),
  revisions: () => ({ id: 'revision', space_id: 'space', change_request_id: null }),
  comments: () => ({
    id: 'comment',
    space_id: 'space',
    change_request_id: 'change request',
    comment_id: null,
  }),
  reviews: () => ({ id: 'review', change_request_id: 'change request', number: 1 }),
  requested_reviewers: (one) => ({
    id: 'requested reviewer',
    change_request_id: 'change request',
    user_id: `user of ${one}`,
    team_id: 'team',
  }),
  inbox_entries: (one) => ({
    user_id: `user of ${one}`,
    space_id: 'space',
    change_request_id: 'change request',
    comment_id: 'comment',
  }),
  import_runs: () => ({
    id: 'import run',
    space_id: 'space',
    change_request_id: 'change request',
    status: 'in-progress',
    stage: 'fetching',
  }),
  import_fetches: () => ({ space_id: 'space', run_id: 'import run' }),
  pdfs: () => ({ space_id: 'space', key: 'key', state: 'pending' }),
  comment_reactions: () => ({ space_id: 'space', comment_id: 'comment' }),
  custom_fields: () => ({ id: 'field' }),
  custom_field_values: () => ({ space_id: 'space', field_id: 'field' }),
  openapi_specs: () => ({
    id: 'spec',
    processing_state: 'complete',
    last_version_id: 'version',
    error_code: null,
  }),
  openapi_spec_versions: () => ({ id: 'version', spec_id: 'spec', number: 1 }),
  events: () => ({ space_id: 'space', number: 1 }),
  webhooks: () => ({ id: 'webhook' }),
  webhook_subscriptions: () => ({ webhook_id: 'webhook' }),
  webhook_deliveries: () => ({ webhook_id: 'webhook', status: 'waiting' }),
  space_translations: () => ({ space_id: 'space', source_space_id: 'space', settings_id: 'settings' }),
  translation_settings: () => ({ id: 'settings' }),
  translation_memory: () => ({ space_id: 'space' }),
  translation_pages: () => ({ space_id: 'space' }),
  site_redirects: () => ({ site_id: 'site' }),
  site_former_paths: () => ({ site_id: 'site' }),
  site_share_links: () => ({ site_id: 'site' }),
  page_feedback: () => ({ site_id: 'site', space_id: 'space' }),
  page_views: () => ({ site_id: 'site', space_id: 'space' }),
  site_events: () => ({ site_id: 'site' }),
  site_visitor_schemas: () => ({ site_id: 'site' }),
  site_section_groups: () => ({ id: 'group', site_id: 'site', parent_id: null }),
  site_sections: () => ({ id: 'section', site_id: 'site', group_id: 'group', is_default: 1 }),
  site_spaces: () => ({ site_id: 'site', section_id: null, space_id: 'space', is_default: 1 }),
  search_spaces: () => ({ space_id: 'space' }),
  search_pages: () => ({ space_id: 'space' }),
  search_sections: () => ({ space_id: 'space' }),
  search_vocabulary: () => ({ space_id: 'space' }),
  search_guards: () => ({ space_id: 'space' }),
  text_edits: () => ({ space_id: 'space' }),
  space_links: () => ({ space_id: 'space' }),
  space_link_states: () => ({ space_id: 'space' }),
  sessions: (one) => ({ user_id: `user of ${one}` }),
  api_tokens: (one) => ({ user_id: `user of ${one}`, parent_id: null }),
  sign_in_links: (one) => ({ user_id: `user of ${one}` }),
  provider_accounts: (one) => ({ user_id: `user of ${one}` }),
  known_devices: (one) => ({ user_id: `user of ${one}` }),
}

/** Ids are unique in the installation, as they were before the keys began with the organization. */
const isId = (name: string) => name === 'id' || /_id$|^parent_id$|_hash$|^hash$/.test(name)

function fill({ columns }: CatalogTable, table: keyof Tables, organization: string, at: number): Row {
  const row: Row = {}
  const known = rowsOfTables[table]?.(organization) ?? {}
  for (const { name, type } of columns) row[name] = known[name] ?? anything(name, type, at)
  for (const [name, value] of Object.entries(known)) {
    const isTheirs = typeof value === 'string' && isId(name) && !value.includes(' of ')
    row[name] = isTheirs && table !== 'organizations' ? `${value} ${organization}` : value
  }
  if ('organization_id' in row) row['organization_id'] = organization
  return row
}

function anything(name: string, type: Column['type'], at: number): unknown {
  if (type === 'number') return name === 'next_change_request_number' ? 2 : at
  if (type === 'bytes') return Buffer.from([at, 0, 255])
  return type === 'words' ? "'word':1" : `${name} ${at} ü`
}

async function readAll(db: Db, tables: Iterable<string>): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows } = await sql<Row>`select * from ${sql.table(table)}`.execute(db)
    const texts = rows.map((row) =>
      JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    )
    all[table] = texts.toSorted()
  }
  return all
}

async function insertEverything(tx: Tx, catalog: ReadonlyMap<string, CatalogTable>): Promise<void> {
  for (const table of names.filter((name) => catalog.has(name))) {
    for (const [at, organization] of ['acme', 'globex'].entries()) {
      const row = fill(catalog.get(table)!, table, organization, at + 1)
      if (table === 'commits') delete row['xid']
      const columns = Object.keys(row).filter((name) => !(table === 'commits' && /^(id|at|xid)$/.test(name)))
      await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
        values (${sql.join(columns.map((name) => row[name]))})`.execute(tx)
    }
  }
}

describeEngines('keys', (engine) => {
  it('begin with the organization, and references stay within it', async () => {
    const catalog = await readCatalog((await engine.open()).read)
    expect([...catalog.keys()].filter((name) => name !== 'migrations').toSorted()).toEqual(names.toSorted())

    const wrong: unknown[] = []
    for (const table of names) {
      const { columns, keys, references } = catalog.get(table)!
      const isOf = (other: string) => tableFacts[other as keyof Tables].storedIn === 'organization'
      if (!isOf(table)) {
        for (const reference of references) if (isOf(reference.table)) wrong.push({ table, reference })
        continue
      }
      if (!columns.some(({ name, isNullable }) => name === 'organization_id' && !isNullable))
        wrong.push(table)
      for (const key of keys) {
        // SQLite's word index identifies rows by this number.
        const isRowNumber = engine.engine === 'sqlite' && table === 'search_sections' && key[0] === 'id'
        if (key[0] !== 'organization_id' && !isRowNumber) wrong.push({ table, key })
      }
      for (const reference of references.filter((one) => isOf(one.table))) {
        const isInside =
          reference.columns[0] === 'organization_id' && reference.theirs[0] === 'organization_id'
        if (!isInside) wrong.push({ table, reference })
      }
    }
    expect(wrong).toEqual([])
  })

  it('stay within their organization: no row refers to a row of another', async () => {
    const database = await engine.open()
    const catalog = await readCatalog(database.read)
    await database.write((tx) => insertEverything(tx, catalog))
    await expect(
      database.write((tx) =>
        acrossTestOrganizations(tx)
          .updateTable('revisions')
          .set({ organization_id: 'globex' as never })
          .where('id', '=', 'revision acme' as never)
          .execute(),
      ),
    ).rejects.toThrow(/foreign key|what it belongs to/i)
  })
})

// These tests create their own schema.
const ownSchema = { layouts: ['whole'] } as const

describeEngines(
  'keys that are new',
  (engine) => {
    it('are migrated in an older database, whose rows do not change', async () => {
      const settings = await engine.settings()
      const old = await openDatabase({ ...settings, migrations: before })
      const tables = await readCatalog(old.read)
      await old.write((tx) => insertEverything(tx, tables))
      if (engine.engine === 'sqlite')
        await old.write((tx) =>
          sql`insert into search_words (rowid, scope, title) values (2, 's', 'quagga')`.execute(tx),
        )
      const rowsBefore = await readAll(
        old.read,
        names.filter((name) => tables.has(name)),
      )
      for (const [table, rows] of Object.entries(rowsBefore)) expect(rows.length, table).toBeGreaterThan(1)
      await old.close()

      const rekeyed = await openDatabase({ ...settings, migrations: withKeys })
      const { commits: _, ...after } = await readAll(rekeyed.read, Object.keys(rowsBefore))
      const { commits: __, ...rowsToKeep } = rowsBefore
      expect(after).toEqual(rowsToKeep)
      await rekeyed.close()

      const now = await openDatabase(settings)
      try {
        expect(await listViolations(now.read)).toEqual([])
        const directory = await now.read.selectFrom('directory').select(['id', 'organization_id']).execute()
        expect(directory).toHaveLength(10)
        expect(directory).toContainEqual({ id: 'space globex', organization_id: 'globex' })
        if (engine.engine === 'sqlite') {
          const { rows } = await sql`select section.space_id from search_words('quagga') as word
          join search_sections as section on section.id = word.rowid`.execute(now.read)
          expect(rows).toEqual([{ space_id: 'space globex' }])
          expect((await sql`pragma foreign_key_check`.execute(now.read)).rows).toEqual([])
        }

        // Rows that refer to an organization are deleted with it, without those of the other one.
        await now.write((tx) =>
          tx
            .deleteFrom('organizations')
            .where('id', '=', 'acme' as never)
            .execute(),
        )
        const left = await readAll(now.read, tablesOfOrganizations)
        const untied = new Set([
          'objects',
          'text_links',
          'blobs',
          'search_spaces',
          'search_pages',
          'search_sections',
        ])
        for (const table of tablesOfOrganizations.filter((name) => tables.has(name))) {
          expect(left[table], table).toHaveLength(untied.has(table) ? 2 : 1)
        }
      } finally {
        await now.close()
      }
    })

    it('repair rows that named a wrong organization', async () => {
      const settings = await engine.settings()
      const old = await openDatabase({ ...settings, migrations: before })
      const tables = await readCatalog(old.read)
      await old.write(async (tx) => {
        await insertEverything(tx, tables)
        const astray = [
          'change_requests',
          'contributions',
          'revisions',
          'saml_requests',
          'saml_assertions',
        ] as const
        for (const table of astray) {
          const acme = tx.updateTable(table).where('organization_id', '=', 'acme' as never)
          await acme.set({ organization_id: 'globex' as never }).execute()
        }
      })
      await old.close()
      const now = await openDatabase(settings)
      const { rows } =
        await sql`select organization_id, count(*) as count from revisions group by 1 order by 1`.execute(
          now.read,
        )
      expect(rows).toEqual([
        { organization_id: 'acme', count: 1 },
        { organization_id: 'globex', count: 1 },
      ])
      expect(await listViolations(now.read)).toEqual([])
      await now.close()
    })
  },
  ownSchema,
)
