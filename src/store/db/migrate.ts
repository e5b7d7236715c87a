/**
 * Schema migrations: bring a database up to the schema of this version, or reject a newer one.
 *
 * Each migration runs in one transaction with the row that records it, under a lock that a second starting
 * process waits for. There are no down migrations: restore a backup.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Engine } from './engine.js'
import { IncompatibleSchema } from './unavailable.js'
import { foundation } from './migrations/0001-foundation.js'
import { search } from './migrations/0002-search.js'
import { searchText } from './migrations/0003-search-text.js'
import { people } from './migrations/0003-people.js'
import { signIn } from './migrations/0004-sign-in.js'
import { visibleSpaces } from './migrations/0005-visible-spaces.js'
import { spacesByLevel } from './migrations/0006-spaces-by-level.js'
import { verifiedAddresses } from './migrations/0007-verified-addresses.js'
import { commits } from './migrations/0008-commits.js'
import { providerAccounts } from './migrations/0008-provider-accounts.js'
import { tokenParents } from './migrations/0009-token-parents.js'
import { invitations } from './migrations/0010-invitations.js'
import { knownDevices } from './migrations/0011-known-devices.js'
import { flatLists } from './migrations/0012-flat-lists.js'
import { oneOfEach } from './migrations/0013-one-of-each.js'
import { indexState } from './migrations/0014-index-state.js'
import { collection } from './migrations/0015-collection.js'
import { directory } from './migrations/0016-directory.js'
import { installation } from './migrations/0017-installation.js'
import { keys } from './migrations/0018-keys.js'
import { attempts } from './migrations/0019-attempts.js'
import { orderOfJobs } from './migrations/0020-order-of-jobs.js'
import { wholeIndexes } from './migrations/0021-whole-indexes.js'
import { vocabulary } from './migrations/0022-vocabulary.js'
import { customFields } from './migrations/0023-custom-fields.js'
import { comments } from './migrations/0024-comments.js'
import { lines } from './migrations/0025-lines.js'
import { reviews } from './migrations/0026-reviews.js'
import { mergeRules } from './migrations/0027-merge-rules.js'
import { siteSections } from './migrations/0028-site-sections.js'
import { textLinks } from './migrations/0029-text-links.js'
import { authors } from './migrations/0030-authors.js'
import { imports } from './migrations/0031-imports.js'
import { siteRedirects } from './migrations/0032-site-redirects.js'
import { formerPaths } from './migrations/0033-former-paths.js'
import { siteAudience } from './migrations/0034-site-audience.js'
import { searchStorage } from './migrations/0035-search-storage.js'
import { customization } from './migrations/0036-customization.js'
import { siteInsights } from './migrations/0037-site-insights.js'
import { openApiSpecs } from './migrations/0038-openapi-specs.js'
import { openApiOutlines } from './migrations/0043-openapi-outlines.js'
import { visitorSchemas } from './migrations/0039-visitor-schemas.js'
import { translations } from './migrations/0040-translations.js'
import { redirectPatterns } from './migrations/0041-redirect-patterns.js'
import { spaceTranslations } from './migrations/0047-space-translations.js'
import { events } from './migrations/0050-events.js'
import { searchGuards } from './migrations/0057-search-guards.js'
import { pdfs } from './migrations/0058-pdfs.js'
import { siteScripts } from './migrations/0060-site-scripts.js'
import { shownSpecifications } from './migrations/0061-shown-specifications.js'
import { wordsOf } from './migrations/types.js'
import { siteEvents } from './migrations/0064-site-events.js'
import { importsGoOn } from './migrations/0065-imports-go-on.js'
import { importSplits } from './migrations/0065-imports-split.js'
import { spaceLinks } from './migrations/0065-space-links.js'
import { searchTitles } from './migrations/0066-search-titles.js'
import { jobsGivenBack } from './migrations/0067-jobs-given-back.js'
import { formerNames } from './migrations/0068-former-names.js'
import { siteClosures } from './migrations/0069-site-closures.js'
import { jobFailures } from './migrations/0070-job-failures.js'
import { importModes } from './migrations/0071-import-modes.js'
import { textEdits } from './migrations/0072-text-edits.js'
import { storedForms } from './migrations/0073-stored-forms.js'
import { amendedRevisions } from './migrations/0074-amended-revisions.js'
import { preferences } from './migrations/0075-preferences.js'
import { withdrawnReviews } from './migrations/0076-withdrawn-reviews.js'
import { commentsOnWords } from './migrations/0077-comments-on-words.js'
import { inbox } from './migrations/0078-inbox.js'
import type { Migration } from './migrations/types.js'

/** In the order of their numbers; append only. */
export const migrations: readonly Migration[] = [
  foundation,
  search,
  people,
  searchText,
  signIn,
  visibleSpaces,
  spacesByLevel,
  verifiedAddresses,
  commits,
  providerAccounts,
  tokenParents,
  invitations,
  knownDevices,
  flatLists,
  oneOfEach,
  indexState,
  collection,
  directory,
  installation,
  keys,
  attempts,
  orderOfJobs,
  wholeIndexes,
  vocabulary,
  customFields,
  comments,
  lines,
  reviews,
  mergeRules,
  siteSections,
  textLinks,
  authors,
  imports,
  siteRedirects,
  formerPaths,
  siteAudience,
  searchStorage,
  customization,
  siteInsights,
  openApiSpecs,
  visitorSchemas,
  translations,
  redirectPatterns,
  openApiOutlines,
  spaceTranslations,
  events,
  searchGuards,
  pdfs,
  siteScripts,
  shownSpecifications,
  siteEvents,
  importsGoOn,
  importSplits,
  spaceLinks,
  searchTitles,
  jobsGivenBack,
  formerNames,
  siteClosures,
  jobFailures,
  importModes,
  textEdits,
  storedForms,
  amendedRevisions,
  preferences,
  withdrawnReviews,
  commentsOnWords,
  inbox,
]

/** Any fixed number: the key of our PostgreSQL advisory lock. */
const lock = 7_061_984

interface MigrationRecord {
  readonly name: string
  readonly checksum: string
}

/** Runs the missing migrations; throws `IncompatibleSchema` when the database cannot be used. */
export async function migrate(db: Kysely<any>, engine: Engine, known: readonly Migration[]): Promise<void> {
  // First a check outside of a transaction: the usual start has nothing to do and should not wait for a writer.
  if (await isCurrent(db, engine, known)) return
  for (const [index, migration] of known.entries()) {
    const remakesOnSqlite = engine === 'sqlite' && migration.remakesTables === true
    // Else dropping a table would delete the rows that refer to it. Inside a transaction the pragma has no effect.
    if (remakesOnSqlite) await sql`pragma foreign_keys = off`.execute(db)
    try {
      await db.transaction().execute(async (tx) => {
        // SQLite's transactions begin with the write lock.
        if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${lock})`.execute(tx)
        if (index === 0) await createRecord(tx)
        const recorded = await readRecord(tx)
        check(recorded, engine, known)
        if (recorded.length > index) return
        const statements = statementsOf(migration, engine)
        for (const statement of statements) await sql.raw(statement).execute(tx)
        if (remakesOnSqlite) await checkForeignKeys(tx)
        const { name } = migration
        await sql`insert into migrations (name, checksum, applied_at)
          values (${name}, ${checksumOf(statements)}, ${Date.now()})`.execute(tx)
      })
    } finally {
      if (remakesOnSqlite) await sql`pragma foreign_keys = on`.execute(db)
    }
  }
}

/** Checks the foreign keys that SQLite did not check while tables were rebuilt. */
async function checkForeignKeys(tx: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(tx)
  const [first] = rows
  if (first === undefined) return
  throw new IncompatibleSchema(
    `The database cannot be brought up to date: ${rows.length} rows refer to what is missing, the first of them ` +
      `in "${first.table}" to "${first.parent}". Restore the newest backup that octavo doctor finds whole.`,
  )
}

async function isCurrent(db: Kysely<any>, engine: Engine, known: readonly Migration[]): Promise<boolean> {
  const tables =
    engine === 'sqlite'
      ? sql<object>`select 1 from sqlite_master where type = 'table' and name = 'migrations'`
      : sql<object>`select 1 where to_regclass('migrations') is not null`
  if ((await tables.execute(db)).rows.length === 0) return false
  const recorded = await readRecord(db)
  check(recorded, engine, known)
  return recorded.length === known.length
}

async function createRecord(db: Kysely<any>): Promise<void> {
  await sql`create table if not exists migrations (
    name text primary key,
    checksum text not null,
    applied_at bigint not null
  )`.execute(db)
}

async function readRecord(db: Kysely<any>): Promise<readonly MigrationRecord[]> {
  const { rows } = await sql<MigrationRecord>`select name, checksum from migrations order by name`.execute(db)
  return rows
}

function check(recorded: readonly MigrationRecord[], engine: Engine, known: readonly Migration[]): void {
  for (const [index, { name, checksum }] of recorded.entries()) {
    const migration = known[index]
    if (!migration || migration.name !== name) {
      throw new IncompatibleSchema(
        `The database was made by a newer version of Octavo (it knows the migration "${name}"). ` +
          'Start that version, or restore a backup made before it.',
      )
    }
    if (currentChecksum(migration, engine) !== checksum) {
      throw new IncompatibleSchema(
        `The migration "${name}" in this program differs from the one that made the database. ` +
          'Start the version that made it.',
      )
    }
  }
}

function statementsOf(migration: Migration, engine: Engine): readonly string[] {
  return migration.statements(wordsOf[engine])
}

const checksums: Readonly<Record<Engine, WeakMap<Migration, string>>> = {
  sqlite: new WeakMap(),
  postgres: new WeakMap(),
}

/** Computed once: each migration of an empty database checks all that ran before it. */
function currentChecksum(migration: Migration, engine: Engine): string {
  let checksum = checksums[engine].get(migration)
  if (checksum === undefined)
    checksums[engine].set(migration, (checksum = checksumOf(statementsOf(migration, engine))))
  return checksum
}

/** Ignores whitespace, so that reformatting the source does not change a checksum. */
function checksumOf(statements: readonly string[]): string {
  const text = statements.map((statement) => statement.replace(/\s+/g, ' ').trim()).join(';\n')
  return createHash('sha256').update(text).digest('hex')
}
