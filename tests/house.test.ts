/**
 * Architecture rules: imports go down the layers only, and each layer uses only the packages that belong there.
 */
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { groupBy } from '../src/core/group.js'
import { migrations } from '../src/store/db/migrate.js'
import { findImportCycles } from './import-cycles.js'
import { postgresTests } from './postgres-tests.js'
import { owners, readers, writers } from './table-owners.js'
import { findTableUses } from './table-uses.js'
import { findUnusedExports } from './unused-exports.js'

const source = fileURLToPath(new URL('../src', import.meta.url))

/** Layers from the bottom up; a layer imports itself and those below. */
const floors = ['core', 'contract', 'store', 'access', 'resources', 'site', 'server']

/** Inside `resources`, a resource imports itself and those to its left. */
const nouns = [
  'users',
  'organizations',
  'audit',
  'sessions',
  'tokens',
  'members',
  'teams',
  'webhooks',
  'saml-providers',
  'collections',
  'openapi-specs',
  'content',
  'custom-fields',
  'spaces',
  'translations',
  'search',
  'permissions',
  'invites',
  'change-requests',
  'history',
  'imports',
  'exports',
  'pdfs',
  'comments',
  'reviews',
  'inbox',
  'links',
  'merge-checks',
  'sites',
  'insights',
  'events',
]

interface Import {
  readonly file: string
  readonly target: string
  readonly isType: boolean
}

const files = (await readdir(source, { recursive: true }))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('testing.ts'))
  .filter((name) => !/^(?:site\/layout\/browser|web)\//.test(name))
  .toSorted()

/** The browser app stands beside the layers: it uses the API, and the modules below that run in browsers. */
const webFiles = (await readdir(join(source, 'web'), { recursive: true }))
  .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
  .map((name) => `web/${name}`)
  .toSorted()

const imports = files.flatMap(importsOf)

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8')
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\b(?:import|createRequire\(import\.meta\.url\)(?:\.resolve)?)\(['"]([^'"]+)['"]\)/gm,
  )
  return [...found].map(([, isType, from, bare, dynamic]) => ({
    file,
    target: resolveImport(file, (from ?? bare ?? dynamic)!),
    isType: isType !== undefined,
  }))
}

function resolveImport(file: string, name: string): string {
  if (!name.startsWith('.')) return name
  return relative(source, normalize(join(source, dirname(file), name))).replace(/\.js$/, '.ts')
}

const floorOf = (path: string) => floors.indexOf(path.split('/')[0]!)
const isOutside = ({ target }: Import) => floorOf(target) < 0 || !target.includes('/')
const describeImport = ({ file, target }: Import) => `${file} imports ${target}`

test('every source file is in a layer', () => {
  expect(files.filter((file) => floorOf(file) < 0)).toEqual([])
  expect(files.length).toBeGreaterThan(100)
})

test('imports go down or stay on their floor', () => {
  const reachingUp = imports.filter((one) => floorOf(one.target) > floorOf(one.file))
  expect(reachingUp.map(describeImport)).toEqual([])
})

test('the browser app imports itself, the contract and core', () => {
  const foreign = webFiles
    .flatMap(importsOf)
    .filter(({ target }) => /^(?:\.\.|store|access|resources|site|server)\//.test(target))
  expect(foreign.map(describeImport)).toEqual([])
  expect(webFiles.length).toBeGreaterThan(20)
})

test('imports form no cycle, neither of files nor of sibling folders', () => {
  expect(findImportCycles(imports.filter((one) => !isOutside(one)))).toEqual([])
  const ascending = { file: 'a/b/one.ts', target: 'a/c/two.ts' }
  expect(findImportCycles([ascending, { file: 'a/c/two.ts', target: 'a/d.ts' }])).toEqual([])
  expect(findImportCycles([ascending, { file: 'a/c/three.ts', target: 'a/b/four.ts' }])).toEqual([
    'a: b → c → b',
  ])
})

test('names from users are never looked up in a plain object, where "constructor" is always found', () => {
  /** Keyed by constants of our own alone. */
  const ownWords = new Set(['partNames', 'contentTypes', 'entities', 'letters', 'units'])
  const tables = files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8')
    const found = text.matchAll(/^(?:export )?const (\w+): (?:Readonly<)?Record<string, .*= \{$/gm)
    return [...found]
      .map(([, name]) => name!)
      .filter((name) => !ownWords.has(name) && !text.includes(`Object.hasOwn(${name},`))
      .map((name) => `${file}: ${name} has to be a Map, or checked with Object.hasOwn`)
  })
  expect(tables).toEqual([])
})

test('the site reads texts in one file, which removes what the reader may not see', () => {
  const reading = files.filter(
    (file) => file.startsWith('site/') && readFileSync(join(source, file), 'utf8').includes('loadTexts'),
  )
  expect(reading).toEqual(['site/pages/content.ts'])
})

test("the folders of resources go one way, and never use another noun's routes", () => {
  const between = imports.flatMap((one) => {
    const [, from] = /^resources\/([^/]+)\//.exec(one.file) ?? []
    const [, to] = /^resources\/([^/]+)\//.exec(one.target) ?? []
    return from === undefined || to === undefined || from === to ? [] : [{ ...one, from, to }]
  })
  const unknown = between.flatMap(({ from, to }) => [from, to]).filter((noun) => !nouns.includes(noun))
  expect(unknown).toEqual([])
  const wrong = between.filter(({ from, to }) => nouns.indexOf(to) > nouns.indexOf(from))
  expect(wrong.map(describeImport)).toEqual([])
  expect(between.filter(({ target }) => target.endsWith('/routes.ts')).map(describeImport)).toEqual([])
})

test('the program imports exactly its declared dependencies', () => {
  const { dependencies } = JSON.parse(readFileSync(join(source, '../package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const loaded = imports
    .filter((one) => isOutside(one) && !one.isType && !/^(node:|[\w-]+\.ts$)/.test(one.target))
    .map(({ target }) => /^(@[^/]+\/)?[^/]+/.exec(target)![0])
  expect([...new Set(loaded)].toSorted()).toEqual(Object.keys(dependencies).toSorted())
})

test('core does no IO', () => {
  const forbidden = imports.filter(
    (one) =>
      one.file.startsWith('core/') &&
      isOutside(one) &&
      /^node:|^(fastify|kysely|pg|undici|pino|sharp)$/.test(one.target),
  )
  expect(forbidden.map(describeImport)).toEqual([])
})

test('core reads no clock and rolls no dice', () => {
  const impure = files.filter(
    (file) =>
      file.startsWith('core/') &&
      /\bDate\.now\(|new Date\(\)|Math\.random\(|performance\.now/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
  )
  expect(impure).toEqual([])
})

test("SQL is written in the store, in rules, and in a resource's own store", () => {
  const forbidden = imports.filter(
    ({ file, target }) =>
      target === 'kysely' && !/^(store\/|access\/rules\/|resources\/[^/]+\/store\.ts$)/.test(file),
  )
  expect(forbidden.map(describeImport)).toEqual([])
})

test('every table is named by its owner, and elsewhere with a reason', () => {
  const declared = files
    .filter((file) => /^store\/db\/(\w+-)*tables\.ts$/.test(file))
    .flatMap((file) => [...readFileSync(join(source, file), 'utf8').matchAll(/^ {2}(\w+): \w+Table$/gm)])
  const tables = new Set(declared.map(([, table]) => table!))
  expect([...tables].toSorted()).toEqual(Object.keys(owners).toSorted())

  const uses = files
    .filter((file) => !file.startsWith('store/db/migrations/'))
    .flatMap((file) => findTableUses(file, readFileSync(join(source, file), 'utf8'), tables))
  const isIn = (file: string, room: string) => file === room || file.startsWith(`${room}/`)
  const foreign = uses.filter(({ file, table }) => !isIn(file, owners[table]!))
  const needed = new Set<string>()
  const strangers = foreign.filter(({ file, table, writes }) => {
    const found = [...writers, ...(writes ? [] : readers)].flatMap(({ rooms, tables: named }) =>
      named.includes(table) ? rooms.filter((room) => isIn(file, room)).map((room) => `${room} ${table}`) : [],
    )
    for (const one of found) needed.add(one)
    return found.length === 0
  })
  expect(
    strangers.map(({ file, table, writes }) => `${file} ${writes ? 'writes' : 'reads'} ${table}`),
  ).toEqual([])
  const allowed = [...writers, ...readers].flatMap(({ rooms, tables: named }) =>
    rooms.flatMap((room) => named.map((table) => `${room} ${table}`)),
  )
  expect(allowed.filter((one) => !needed.has(one))).toEqual([])
})

test('what presents rows is pure: it reads nothing, and waits for nothing', () => {
  const presenting = files.filter((file) => /(^|\/)present[^/]*\.ts$/.test(file))
  expect(presenting.length).toBeGreaterThan(10)
  const reading = imports.filter(
    ({ file, target, isType }) => presenting.includes(file) && target.startsWith('store/') && !isType,
  )
  expect(reading.map(describeImport)).toEqual([])
  expect(
    presenting.filter((file) => /\basync\b|\bPromise</.test(readFileSync(join(source, file), 'utf8'))),
  ).toEqual([])
})

test('routes rename no imported function: a handler may share the name of its operation', () => {
  const renaming = files.filter(
    (file) =>
      file.startsWith('resources/') &&
      file.endsWith('routes.ts') &&
      /^import \{[^}]*\w as \w/m.test(readFileSync(join(source, file), 'utf8')),
  )
  expect(renaming).toEqual([])
})

test('only access and server import the HTTP framework', () => {
  const forbidden = imports.filter(
    ({ file, target }) => /^@?fastify(\/|$)/.test(target) && !/^(access|server)\//.test(file),
  )
  expect(forbidden.map(describeImport)).toEqual([])
})

test('addresses of people are folded in core/email alone: Unicode has letters whose small form is an ASCII one', () => {
  const rooms =
    /^(access\/signin\/[^/]+|access\/signin\/saml\/claims|server\/sign-in\/.+|server\/commands\/user|resources\/(users|invites|members|teams|organizations|saml-providers|tokens|sessions)\/.+)\.ts$/
  const folding = files.filter(
    (file) =>
      rooms.test(file) &&
      file !== 'access/signin/rate-limit.ts' &&
      /\.to(Locale)?(Lower|Upper)Case\(/.test(readFileSync(join(source, file), 'utf8')),
  )
  expect(folding).toEqual([])
})

test('files are named by their concept, not by a drawer for everything', () => {
  expect(
    files.filter((file) =>
      /(^|\/)(utils?|common|helpers?|misc)(\/|\.ts$)|\.service\.ts$|(^|\/)index\.ts$/i.test(file),
    ),
  ).toEqual([])
})

/** Participles and pronouns that name no concept: as a whole name, or as a part of one. */
const vagueName =
  /^(Asking|Arrived|Arriving|Chosen|Done|Found|Gone|Held|Here|Known|Left|Listed|Look|Lost|Made|Making|Meant|Missing|Named|Placed|Reached|Reading|Said|Seen|Sent|Sought|Standing|Taken|Telling|There|Waiting|Wanted|Writing|Written)$|Told|Kept|Asked|Given|Shown|Beholder|Whoever|Nobody|Somebody/
const declaredTypes = files.flatMap((file) =>
  [
    ...readFileSync(join(source, file), 'utf8').matchAll(
      /^(export )?(?:declare |abstract )*(?:interface|type|class) (\w+)/gm,
    ),
  ].map(([, exported, name]) => ({ file, name: name!, isExported: exported !== undefined })),
)

test('types and files have names that an engineer would search for: rename what is listed', () => {
  const types = declaredTypes.filter(({ name }) => vagueName.test(name))
  expect(types.map(({ file, name }) => `${file}: type ${name}`)).toEqual([])
  const pascal = (file: string) =>
    file
      .slice(file.lastIndexOf('/') + 1, -'.ts'.length)
      .replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  expect(files.filter((file) => !file.includes('/migrations/') && vagueName.test(pascal(file)))).toEqual([])
  expect(['Told', 'KeptPage', 'Here'].filter((name) => !vagueName.test(name))).toEqual([])
})

test('an exported type name is declared in two files at most: give the third a more specific name', () => {
  const exported = groupBy(
    declaredTypes.filter(({ isExported }) => isExported),
    ({ name }) => name,
  )
  const repeated = [...exported].filter(([, declarations]) => declarations.length > 2)
  expect(repeated.map(([name, found]) => `${name}: ${found.map(({ file }) => file).join(', ')}`)).toEqual([])
})

/** Exports without a use in `src`, each for a reason. */
const usedElsewhere = [
  // By the app in the browser, and by scripts.
  /^contract\/client\.ts createApiClient$/,
  // The program begins there.
  /^server\/main\.ts main$/,
  // Every construct of the dialect is read and written in one file; the editor writes.
  /^core\/markdown\/[\w-]+\.ts format\w+$/,
  // By the editor in the browser.
  /^core\/editing\/[\w-]+\.ts \w+$/,
  // For tests that compare or read everything.
  /^store\/db\/transactions\.ts lockScopeOf$/,
  /^core\/merge\/diff\.ts diffSnapshots$/,
  /^store\/db\/table-facts\.ts tablesOfOrganizations$/,
  // Guards are of the tests.
  /^store\/db\/across\.ts guard$/,
  // What of a specification is a value already: the gallery's, and those of tests and measurements.
  /^core\/openapi\/specification\.ts wholeSpecification$/,
  // By the program that searches a site without a server.
  /^core\/search\/search-static-index\.ts searchStaticIndex$/,
]

test('what is exported is used, and not by tests alone', () => {
  const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))
  const unused = findUnusedExports(texts).filter((one) => !usedElsewhere.some((known) => known.test(one)))
  expect(unused).toEqual([])
  const dead = new Map([
    ['a/one.ts', 'export const two = 2\nexport const three = 3\n'],
    ['b.ts', "import { type four, two as zwei } from './a/one.js'\n"],
  ])
  expect(findUnusedExports(dead)).toEqual(['a/one.ts three'])
})

test('statements that name no organization are few, and each gives a reason', () => {
  const reasons = files
    .filter((file) => file !== 'store/db/cross-tenant.ts')
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8')
      const found = text.matchAll(/acrossOrganizations\(\s*\w+,\s*(?:'([^']+)'|(\w+)),?\s*\)/g)
      return [...found].map(([, reason, name]) => {
        const named = name && new RegExp(`^const ${name} = '([^']+)'`, 'm').exec(text)?.[1]
        return `${file}: ${reason ?? named}`
      })
    })
  expect([...new Set(reasons)]).toEqual([
    'access/signin/memberships.ts: the memberships of a person',
    'access/signin/saml/requests.ts: the secret says whose question it was',
    'access/signin/sessions.ts: a session opens all memberships of its person',
    'access/signin/tokens.ts: a token opens all memberships of its person',
    'resources/inbox/store.ts: the inbox of a person',
    'resources/insights/event-store.ts: event retention of all sites',
    'resources/invites/store.ts: invitations of a user',
    'resources/links/store.ts: a server that starts looks at the links of all spaces',
    'resources/openapi-specs/store.ts: time comes for all alike',
    'resources/organizations/store.ts: memberships of a user',
    'resources/organizations/store.ts: organizations of an e-mail domain',
    'resources/organizations/store.ts: a person who is not signed in names the organization',
    'resources/saml-providers/store.ts: the sign-in page offers single sign-on where there is any',
    'resources/sites/store.ts: public sites of all organizations',
    'resources/users/store.ts: members of all organizations of a user',
    'store/collect/expired.ts: retention of all organizations',
    'store/collect/files.ts: files are shared by all organizations',
    'store/content/verify.ts: maintenance checks the whole store',
    'store/db/directory.ts: derived from the tables of all organizations',
    'store/db/invariants.ts: invariants of the whole database',
    'store/search/index-state.ts: a starting server checks the indexes of all spaces',
    'store/search/pages.ts: a metric for the operator',
    'store/search/sqlite.ts: row numbers of the sections of all organizations',
    'store/search/verify.ts: words and sections of the whole database are compared',
  ])
  expect(reasons.length).toBe(31)
})

test('tests run on PostgreSQL for a reason: edit tests/postgres-tests.ts, or use describeSqlite', async () => {
  const root = join(source, '..')
  const found: string[] = []
  for (const folder of ['src', 'tests'])
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const file = `${folder}/${name}`
      if (!file.endsWith('.test.ts')) continue
      const text = readFileSync(join(root, file), 'utf8')
      if (/\bdescribe(?:Engines|Layouts|Concurrency)\(/.test(text)) found.push(file)
    }
  expect(found.toSorted()).toEqual(Object.values(postgresTests).flat().toSorted())
})

test('every migration is registered, in the order of the numbers: edit src/store/db/migrate.ts', () => {
  const text = readFileSync(join(source, 'store/db/migrate.ts'), 'utf8')
  const imported = [...text.matchAll(/from '\.\/(migrations\/\d{4}-[\w-]+)\.js'/g)].map(([, name]) => name!)
  const numbered = files
    .filter((file) => /^store\/db\/migrations\/\d{4}-/.test(file))
    .map((file) => file.slice('store/db/'.length, -'.ts'.length))
  expect(imported.toSorted()).toEqual(numbered.toSorted())
  expect(migrations.length).toBeGreaterThanOrEqual(imported.length)
})
