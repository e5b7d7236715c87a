import { mkdir, mkdtemp, readFile, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { checkPdf, hasPdfTools, textOfPdf } from '../../tests/pdf-tools.js'
import { hashSecret } from '../access/signin/secrets.js'
import { listPrintedPages } from '../resources/pdfs/pages.js'
import { findSpaceAnywhere } from '../resources/spaces/store.js'
import { loadRevisionContent } from '../site/pdf/pdf-source.js'
import { prepareFirstStart } from './start/first-start.js'
import { answerLines, readTranslatorRequest, translateToCapitals } from '../../tests/translations.js'
import { serveWeb } from '../../tests/web-server.js'
import type { TranslationSettingsId } from '../core/ids.js'
import { findFirstAdmin } from '../resources/organizations/store.js'
import { createTranslatedSpace } from '../resources/translations/create.js'
import { insertTranslation } from '../resources/translations/store.js'
import { putTranslatorRow } from '../resources/translations/translators.js'
import { main } from './main.js'
import { type Octavo, openOctavo } from './start/open.js'
import { readSettings } from './settings/settings.js'

let folder: string
let data: string
/** Stays open, like a server that runs on the same data. */
let running: Octavo

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-main-'))
  data = join(folder, 'data')
  // On a port that the commands do not know.
  const settings = await readSettings({ data, port: '4123' }, {}, folder)
  running = await openOctavo(settings, Date.now(), 'server')
  await prepareFirstStart(running.database, settings, Date.now())
  await mkdir(join(folder, 'docs/.gitbook/assets'), { recursive: true })
  await writeFile(join(folder, 'docs/README.md'), '# Home\r\n\r\nSearch for me')
  await writeFile(join(folder, 'docs/SUMMARY.md'), '* [Home](README.md)\r\n* [Missing](gone.md)\r\n')
  await writeFile(join(folder, 'docs/.gitbook/assets/bytes.bin'), Buffer.from([0, 255, 1]))
})

afterAll(async () => {
  await running.close()
  await rm(folder, { recursive: true })
})

afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

/** Runs a command and returns its results, what it wrote to standard error, and its exit code. */
async function octavo(...words: string[]) {
  const written = { out: '', error: '' }
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((written.out += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((written.error += String(text)), true))
  process.exitCode = undefined
  await main(['node', 'octavo', '--data', data, '--json', ...words])
  vi.restoreAllMocks()
  const lines = written.out.split('\n').filter((line) => line !== '')
  const events = lines.map((line) => JSON.parse(line) as Record<string, any>)
  const code = process.exitCode ?? 0
  return { events, results: events.filter(({ event }) => event === 'result'), error: written.error, code }
}

async function filesBelow(path: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    files[file.slice(path.length + 1)] = (await readFile(file)).toString('hex')
  }
  return files
}

it('imports a folder, publishes it, and exports it again as a folder and as a zip', async () => {
  const imported = await octavo('import', join(folder, 'docs'), '--title', 'Manual', '--site')
  expect(imported.code).toBe(0)
  const [{ space, revision, site }] = imported.results as [Record<string, any>]
  expect(imported.events.at(-1)).toBe(imported.results[0])
  expect(imported.results[0]).toMatchObject({ pages: 1, files: 1, leftOut: 0, problems: 1, isChanged: true })
  const warning = { event: 'warning', kind: 'structure', path: 'SUMMARY.md', line: 2 }
  expect(imported.events).toContainEqual(expect.objectContaining(warning))
  const read = { event: 'progress', task: 'Reading', done: 3, total: 3, texts: 2, files: 1 }
  expect(imported.events).toContainEqual(read)
  expect(site).toBe('http://127.0.0.1:4123/@docs/manual/')

  const out = join(folder, 'out')
  expect((await octavo('export', out, '--space', space)).results).toMatchObject([{ files: 3, revision }])
  expect(await filesBelow(out)).toEqual(await filesBelow(join(folder, 'docs')))
  const refused = await octavo('export', out, '--space', space)
  expect([refused.code, JSON.parse(refused.error).message]).toEqual([1, expect.stringContaining('--force')])

  const zip = join(folder, 'out.zip')
  expect((await octavo('export', zip, '--space', space, '--zip')).code).toBe(0)
  const again = await octavo('import', zip, '--space', space)
  expect(again.results).toMatchObject([{ space, revision, isChanged: false }])

  const renamed = ['--title', 'Handbuch', '--language', 'de', '--exclude', 'nowhere']
  const twice = await octavo('import', join(folder, 'docs'), '--space', space, '--site', ...renamed)
  expect(twice.results).toMatchObject([{ space, isChanged: false, site }])
  const row = await running.database.read
    .selectFrom('spaces')
    .select(['title', 'language'])
    .where('id', '=', space)
    .executeTakeFirst()
  expect(row).toEqual({ title: 'Handbuch', language: 'de' })
  const sites = await running.database.read.selectFrom('sites').select('id').execute()
  expect(sites).toHaveLength(1)
  const wrong = await octavo('import', join(folder, 'docs'), '--language', 'German')
  expect([wrong.code, JSON.parse(wrong.error).message]).toEqual([1, expect.stringContaining('"German"')])
})

it('publishes what is under conditions only where a visitor without claims does not see it, or when told to', async () => {
  const source = join(folder, 'conditional')
  const condition = 'visitor.claims.plan == "pro"'
  await mkdir(source, { recursive: true })
  await writeFile(join(source, 'README.md'), `# Home\n\n{% if ${condition} %}\nPart.\n{% endif %}\n`)
  await writeFile(join(source, 'closed.md'), `---\nif: ${condition}\n---\n\n# Closed\n`)
  await writeFile(join(source, 'SUMMARY.md'), '* [Home](README.md)\n* [Closed](closed.md)\n')
  const run = async (...more: string[]) => {
    const { events, results } = await octavo('import', source, '--site', ...more)
    const warning = events.find(({ kind }) => kind === 'conditions')
    return { ...results[0], warning } as Record<string, any>
  }
  const pages = ['README.md', 'closed.md']
  const first = await run('--title', 'Conditional')
  expect(first).toMatchObject({
    published: false,
    warning: { conditions: 2, pages, seenWithoutClaims: 'unpublished' },
  })
  const into = ['--space', first['space']]
  expect(await run(...into, '--publish')).toMatchObject({
    published: true,
    warning: { pages, seenWithoutClaims: 'all' },
  })
  // A site that is published stays so.
  expect(await run(...into)).toMatchObject({ published: true, warning: { seenWithoutClaims: 'all' } })
  await running.database.write(async (tx) => {
    await tx.updateTable('sites').set({ adaptive_content: 1 }).where('basename', '=', 'conditional').execute()
  })
  expect(await run(...into)).toMatchObject({ published: true, warning: { pages, seenWithoutClaims: 'none' } })
})

it('writes a space as a PDF, or a page of it', async () => {
  const { results } = await octavo('import', join(folder, 'docs'), '--title', 'Printed')
  const { space, revision } = results[0]!
  const target = join(folder, 'printed', 'guide.pdf')
  const made = await octavo('export', target, '--pdf', '--space', space)
  expect(made.results).toMatchObject([{ space, revision, pages: 2, sheets: 4, target }])
  expect(made.events).toContainEqual(
    expect.objectContaining({ event: 'progress', task: 'Printing', total: 4 }),
  )
  const whole = await readFile(target)
  expect(whole.subarray(0, 5).toString()).toBe('%PDF-')
  if (hasPdfTools) {
    checkPdf(target)
    expect(textOfPdf(target)).toMatch(/^Printed Contents Home.*Search for me/)
  }

  const refused = await octavo('export', target, '--pdf', '--space', space)
  expect([refused.code, JSON.parse(refused.error).message]).toEqual([1, expect.stringContaining('--force')])
  const row = await findSpaceAnywhere(running.database.read, space)
  const { content } = (await loadRevisionContent(running.services, row!, row!.revision_id))!
  const [printed] = await listPrintedPages(content, {})
  const alone = ['--page', printed!.page.id, '--only', '--force']
  const again = await octavo('export', target, '--pdf', '--space', space, ...alone)
  expect(again.results).toMatchObject([{ pages: 1, sheets: 1 }])
  expect((await readFile(target)).length).toBeLessThan(whole.length)

  for (const [flags, message] of [
    [['--space', space, '--page', 'nothing'], 'page'],
    [['--space', space, '--only'], 'needs a "page"'],
    [['--space', 'nothing'], 'There is no space nothing'],
  ] as const) {
    const wrong = await octavo('export', target, '--pdf', '--force', ...flags)
    expect([wrong.code, JSON.parse(wrong.error).message], flags.join(' ')).toEqual([
      1,
      expect.stringContaining(message),
    ])
  }
  expect(await readdir(join(folder, 'printed'))).toEqual(['guide.pdf'])
  expect(await readdir(join(data, 'spool'))).not.toContainEqual(expect.stringMatching(/^pdf-/))
})

it('creates users and tokens that a running server accepts immediately', async () => {
  const made = await octavo('user', 'create', 'Ada@octavo.test', '--role', 'admin')
  expect(made.results).toMatchObject([{ email: 'Ada@octavo.test', role: 'admin' }])
  expect((await octavo('user', 'create', 'ada@octavo.test')).code).toBe(1)
  expect((await octavo('user', 'list')).results.map(({ email }) => email)).toContain('ada@octavo.test')

  const { token } = (await octavo('token', 'create', 'ada@octavo.test', '--label', 'CI', '--expires', '7'))
    .results[0]!
  const stored = await running.database.read
    .selectFrom('api_tokens')
    .select(['id', 'label'])
    .where('token_hash', '=', hashSecret(token))
    .executeTakeFirst()
  expect(stored?.label).toBe('CI')
  const listed = (await octavo('token', 'list', 'ada@octavo.test')).results
  expect(listed).toMatchObject([{ id: stored!.id, label: 'CI', lastUsedAt: null }])
  expect(JSON.stringify(listed)).not.toContain(token)
  expect((await octavo('token', 'revoke', stored!.id)).code).toBe(0)
  expect((await octavo('token', 'revoke', stored!.id)).code).toBe(1)
  expect((await octavo('token', 'list', 'ada@octavo.test')).results).toEqual([])

  const [{ url }] = (await octavo('user', 'sign-in-link', 'ada@octavo.test')).results as [{ url: string }]
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4123\/~octavo\/sign-in\?link=\w{40}$/)
})

it('backs up while others have the data open, restores elsewhere, and finds missing data', async () => {
  const backup = join(folder, 'backup')
  expect((await octavo('doctor')).code).toBe(0)
  expect((await octavo('backup', backup, '--verify')).results).toMatchObject([{ files: 1, verified: true }])
  expect((await octavo('backup', backup, '--retain', '1')).results).toMatchObject([{ files: 1, removed: 1 }])
  expect((await octavo('backup', join(folder, 'docs'))).error).toContain('holds no backup')
  expect((await octavo('restore', backup, '--list')).results).toHaveLength(1)

  const elsewhere = join(folder, 'restored')
  expect((await octavo('--data', elsewhere, 'restore', backup)).code).toBe(0)
  expect((await octavo('--data', elsewhere, 'doctor')).code).toBe(0)
  expect((await octavo('--data', elsewhere, 'restore', backup)).error).toContain('holds data already')
  const [space] = await running.database.read.selectFrom('spaces').select('id').execute()
  const out = join(folder, 'from-backup')
  expect((await octavo('--data', elsewhere, 'export', out, '--space', space!.id)).code).toBe(0)
  expect(await filesBelow(out)).toEqual(await filesBelow(join(folder, 'docs')))

  const [file] = Object.keys(await filesBelow(join(elsewhere, 'files')))
  await unlink(join(elsewhere, 'files', file!))
  const sick = await octavo('--data', elsewhere, 'doctor')
  expect(sick.code).toBe(1)
  expect(sick.events).toContainEqual(
    expect.objectContaining({ event: 'warning', problem: expect.stringContaining('is missing') }),
  )
  // A backup with one changed byte is refused, and leaves no data behind.
  const copy = join(backup, 'data', file!)
  await writeFile(copy, 'changed')
  const third = join(folder, 'third')
  expect((await octavo('--data', third, 'restore', backup)).error).toContain('damaged')
  expect((await octavo('--data', third, 'user', 'list')).results).toEqual([])
})

it('reports errors in one line, and does not create a data folder by accident', async () => {
  const nowhere = join(folder, 'nowhere')
  const answer = await octavo('--data', nowhere, 'user', 'list')
  expect([answer.code, answer.error]).toEqual([1, expect.stringMatching(/^[^\n]*no Octavo data[^\n]*\n$/)])
  await expect(stat(nowhere)).rejects.toThrow('ENOENT')
  for (const [words, sentence] of [
    [['import', join(folder, 'missing')], 'There is no'],
    [['import', join(folder, 'docs'), '--space', 'nothing'], 'There is no space nothing'],
    [['import', join(folder, 'docs'), '--org', 'other'], 'known: docs'],
    [['export', join(folder, 'x'), '--space', 'nothing'], 'There is no space nothing'],
    [['token', 'create', 'nobody@octavo.test'], 'no user with the address'],
    [['user', 'create', 'x@octavo.test', '--role', 'king'], '--role takes one of'],
  ] as const) {
    const refused = await octavo(...words)
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.error).message).toContain(sentence)
  }
})

it('imports ten thousand redirects of a CSV into a site, reports invalid ones, and imports them again', async () => {
  const wiki = join(folder, 'moved')
  await mkdir(wiki)
  await writeFile(join(wiki, 'README.md'), '# Moved\n')
  await writeFile(join(wiki, 'new.md'), '# New\n')
  await octavo('import', wiki, '--title', 'Moved', '--site')
  const csv = join(folder, 'redirects.csv')
  const many = Array.from({ length: 9_996 }, (_, at) =>
    at % 2 === 0 ? `/old/${at},/new` : `"/old/${at}",https://example.com/${at},true`,
  )
  const lines = [
    'source,destination,permanent',
    ...many,
    '/v1/*,/*',
    '/gone,/nowhere',
    'old,/new',
    '/old/0,/new',
  ]
  await writeFile(csv, `${lines.join('\r\n')}\r\n`)
  const first = await octavo('import', csv, '--redirects', 'docs/moved')
  expect(first.error).toBe('')
  expect([first.code, first.results]).toMatchObject([0, [{ created: 9_997, updated: 0, refused: 3 }]])
  const refused = first.events.filter(({ event, kind }) => event === 'warning' && kind === 'refused')
  expect(refused.map(({ line }) => line)).toEqual([9_999, 10_000, 10_001])
  expect((await octavo('import', csv, '--redirects', 'docs/moved')).results).toMatchObject([
    { created: 0, updated: 9_997 },
  ])
  const rows = await running.database.read
    .selectFrom('site_redirects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(rows.count)).toBe(9_997)
  const redirects = await running.database.read
    .selectFrom('events')
    .select('data')
    .where('type', '=', 'site_updated')
    .execute()
  expect(redirects).toHaveLength(2)
  await writeFile(csv, `${['/one,/new', ...lines].join('\n')}\n`)
  const tooMany = await octavo('import', csv, '--redirects', 'docs/moved')
  expect([tooMany.code, JSON.parse(tooMany.error).message]).toEqual([1, expect.stringContaining('at most')])
})

it('brings a translation up to its source: by a file, by a translator, without a server', async () => {
  const web = await serveWeb(async (request, response) => {
    const { lines } = await readTranslatorRequest(request)
    answerLines(
      response,
      lines.map(({ id, text }) => ({ id, text: translateToCapitals(text) })),
    )
  })
  try {
    vi.stubEnv('OCTAVO_FETCH_NETWORKS', '127.0.0.1')
    const words = join(folder, 'words')
    await mkdir(words)
    await writeFile(join(words, 'README.md'), '# Start\n\nSee [the page](page.md).\n')
    await writeFile(join(words, 'page.md'), '# Page\n\nWords.\n')
    const [{ space: source }] = (await octavo('import', words, '--title', 'Words')).results as [any]
    const { database, services } = running
    const space = await database.write(async (tx) => {
      const { organization_id } = (await findSpaceAnywhere(tx, source))!
      const userId = (await findFirstAdmin(tx, organization_id))!
      const settings = await insertTranslation(tx, {
        organization_id,
        id: 'settings' as TranslationSettingsId,
        title: 'T',
        languages: '["de"]',
        created_at: 1,
        updated_at: 1,
      })
      const body = { source, language: 'de' } as const
      const asking = { actor: { userId } as never, now: Date.now(), services }
      return (await createTranslatedSpace(tx, settings, body, asking)).space_id
    })
    expect((await octavo('translate', 'status', space)).results).toMatchObject([
      { space, source, from: 'en', language: 'de', status: 'pending', pages: 2, states: { missing: 2 } },
    ])

    const file = join(folder, 'words.xlf')
    const written = await octavo('translate', 'export', space, file)
    expect(written.results).toMatchObject([{ space, passages: 4, target: file }])
    expect((await octavo('translate', 'export', space, file)).error).toContain('--force')
    const xliff = await readFile(file, 'utf8')
    expect(xliff.match(/<trans-unit /g)).toHaveLength(4)
    const one = /(<source>Words\.<\/source>\s*)<target[^>]*>/
    await writeFile(file, xliff.replace(one, '$1<target>Worte.'))
    const taken = await octavo('translate', 'import', space, file)
    expect([taken.code, taken.results]).toMatchObject([
      0,
      [
        { taken: 1, unchanged: 0, unknown: 0, refused: 0 },
        { status: 'completed', missing: 3, failed: 0, asked: 0 },
      ],
    ])
    expect(web.requests).toEqual([])
    await writeFile(file, xliff.replace('the page</g>', 'the page'))
    expect((await octavo('translate', 'import', space, file)).error).toContain('words.xlf cannot be read')
    const some = await octavo('translate', 'export', space, file, '--missing', '--force')
    expect(some.results).toMatchObject([{ passages: 3 }])

    await database.write(async (tx) => {
      const { organization_id } = (await findSpaceAnywhere(tx, space))!
      await putTranslatorRow(tx, {
        organization_id,
        endpoint: `${web.url}/v1`,
        model: 'm',
        sealed_key: null,
        characters_per_run: 1_000_000,
        updated_at: 1,
      })
    })
    const ran = await octavo('translate', 'run', space)
    expect([ran.code, ran.results]).toMatchObject([
      0,
      [{ status: 'completed', missing: 0, failed: 0, asked: 3 }],
    ])
    expect(ran.events).toContainEqual(expect.objectContaining({ event: 'progress', task: 'Translating' }))
    const { organization_id } = (await findSpaceAnywhere(database.read, space))!
    const entries = await database.read
      .selectFrom('audit_events')
      .select(['action', 'place', 'detail', 'actor_id'])
      .where('organization_id', '=', organization_id)
      .where('thing', '=', space)
      .orderBy('at')
      .execute()
    const entry = { place: JSON.stringify({ spaceId: space }), detail: 'octavo translate' }
    const actor_id = await findFirstAdmin(database.read, organization_id)
    expect(entries).toEqual([
      { action: 'importTranslationXliff', ...entry, actor_id },
      { action: 'runSpaceTranslation', ...entry, actor_id },
    ])
    const out = join(folder, 'translated')
    await octavo('export', out, '--space', space)
    expect(await readFile(join(out, 'README.md'), 'utf8')).toBe('# START\n\nSEE [THE PAGE](page.md).\n')
    expect(await readFile(join(out, 'page.md'), 'utf8')).toBe('# PAGE\n\nWorte.\n')
    expect((await octavo('translate', 'status', space)).results).toMatchObject([
      { isCurrent: true, missing: 0, failed: 0, states: { 'up-to-date': 2 } },
    ])
    for (const [words, sentence] of [
      [['status', 'nothing'], 'There is no space nothing'],
      [['run', source], 'follows no other one'],
      [['run', space, '--again', 'some'], '--again takes'],
      [['import', space, join(folder, 'none.xlf')], 'There is no file'],
    ] as const) {
      const refused = await octavo('translate', ...words)
      expect([refused.code, JSON.parse(refused.error).message]).toEqual([
        1,
        expect.stringContaining(sentence),
      ])
    }
  } finally {
    vi.unstubAllEnvs()
    await web.close()
  }
})

it('imports exports of other programs: detected by name, or by an option', async () => {
  const page = join(folder, 'a page.html')
  await writeFile(page, '<title>A</title><h1>A</h1><table><tr><th colspan=2>b<tr><td>c<td>d</table>')
  const imported = await octavo('import', page)
  expect(imported.results).toMatchObject([{ pages: 1, files: 0, problems: 1 }])
  const message = 'Not carried over: cells over several rows or columns, which were split.'
  expect(imported.events).toContainEqual(
    expect.objectContaining({ event: 'warning', kind: 'conversion', path: 'README.md', message }),
  )
  const wiki = join(folder, 'wiki')
  await mkdir(wiki)
  await writeFile(join(wiki, 'Home.md'), 'To [[Other]]')
  await writeFile(join(wiki, 'Other.md'), 'Here')
  expect((await octavo('import', wiki, '--from', 'github-wiki')).results).toMatchObject([
    { pages: 2, problems: 0 },
  ])
  expect((await octavo('import', wiki, '--from', 'notion', '--space', 'x')).code).toBe(1)
  const unknown = join(folder, 'a.bin')
  await writeFile(unknown, 'a')
  const refused = await octavo('import', unknown)
  expect([refused.code, JSON.parse(refused.error).message]).toEqual([1, expect.stringContaining('--from')])
})

it('says in a sentence that the database is of a newer version', async () => {
  const newer = { name: '9999-newer', checksum: 'x', applied_at: 1 }
  await running.database.write((tx) =>
    sql`insert into migrations (name, checksum, applied_at)
    values (${newer.name}, ${newer.checksum}, ${newer.applied_at})`.execute(tx),
  )
  try {
    for (const words of [
      ['serve', '--port', '0'],
      ['token', 'create', 'admin@localhost'],
    ]) {
      const { code, error } = await octavo(...words)
      expect([code, JSON.parse(error).message]).toEqual([
        1,
        'The database was made by a newer version of Octavo (it knows the migration "9999-newer"). Start that version, or restore a backup made before it.',
      ])
    }
  } finally {
    await running.database.write((tx) => sql`delete from migrations where name = ${newer.name}`.execute(tx))
  }
})
