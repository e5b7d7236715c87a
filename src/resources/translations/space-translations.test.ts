/** Translated spaces through the HTTP interface: created, run by the worker, edited, and exchanged as XLIFF. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import { type WebServer, serveWeb } from '../../../tests/web-server.js'
import {
  type TranslatorRequest,
  answerLines,
  readTranslatorRequest,
  runTranslations,
  translateToCapitals,
} from '../../../tests/translations.js'
import { collectObjects } from '../../store/collect/objects.js'
import type { Database } from '../../store/db/database.js'

const guide = `---
description: What this is about.
---

# Guide

Read the [first page](first.md#setup) and run \`npm start\`, **now**.

{% hint style="info" %}
Only {{ user.name }} may do this.
{% endhint %}

## Setup

| Name | Says |
| ---- | ---- |
| one  | The first |

\`\`\`js
const untouched = 'yes'
\`\`\`
`

type Responder = (request: TranslatorRequest, response: ServerResponse) => void

describeSqlite('spaces that follow others', (engine) => {
  let database: Database
  let api: TestClient
  let web: WebServer
  let admin: Person
  let editor: Person
  let reader: Person
  let organization: string
  let settings: string
  const requests: TranslatorRequest[] = []
  let answering: Responder
  const right: Responder = ({ lines }, response) =>
    answerLines(
      response,
      lines.map(({ id, text }) => ({ id, text: translateToCapitals(text) })),
    )

  async function make(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  async function refuse(
    status: number,
    method: string,
    path: string,
    body?: unknown,
    person = admin,
  ): Promise<string> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status)
    return answer.body?.error?.message
  }
  const change = (space: string, ...changes: object[]) =>
    make('POST', `/spaces/${space}/content?compat=false`, { changes })
  async function newSource(...texts: string[]): Promise<{ space: string; pages: string[] }> {
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { title: 'Source', empty: true })
    await make('PATCH', `/spaces/${id}`, { editMode: 'live' })
    const pages: string[] = []
    for (const markdown of texts) {
      const made = await change(id, {
        operation: 'insert_page',
        title: 'P',
        ref: 'p',
        document: { markdown },
      })
      pages.push(made.changes[0].page.id)
    }
    return { space: id, pages }
  }
  async function follow(source: string, body: object = {}): Promise<string> {
    const made = await make('POST', `${settings}/spaces`, { source, language: 'de', ...body })
    return made.space
  }
  const textOf = async (space: string, page: string): Promise<string> =>
    (await make('GET', `/spaces/${space}/content/page/${page}?format=markdown`)).markdown
  const stateOf = (space: string) => make('GET', `/spaces/${space}/translation`)
  const pagesOf = async (space: string): Promise<Record<string, string>> => {
    const { items } = await make('GET', `/spaces/${space}/translation/pages?limit=1000`)
    return Object.fromEntries(items.map(({ id, state }: any) => [id, state]))
  }
  const blocksOf = async (space: string, page: string) =>
    (await make('GET', `/spaces/${space}/translation/pages/${page}`)).blocks
  const useTranslator = (more: object = {}) =>
    make('PUT', `/orgs/${organization}/translator`, {
      endpoint: `${web.url}/v1`,
      model: 'm',
      key: 'sk-secret',
      ...more,
    })
  const sentLines = () => requests.flatMap(({ lines }) => lines.map(({ text }) => text))

  beforeAll(async () => {
    web = await serveWeb(async (request, response) => {
      const one = await readTranslatorRequest(request)
      requests.push(one)
      answering(one, response)
    })
    database = await engine.open()
    api = await openTestClient(database, undefined, { remote: web.remote })
    admin = await api.person('admin')
    organization = await api.organization(admin)
    editor = await api.person('editor')
    reader = await api.person('reader')
    await api.join(organization as never, editor, 'edit')
    await api.join(organization as never, reader, 'read')
    const made = await make('POST', `/orgs/${organization}/translations`, {
      title: 'T',
      languages: ['de', 'fr'],
    })
    settings = `/orgs/${organization}/translations/${made.id}`
  })
  beforeEach(async () => {
    await api.request(admin, 'DELETE', `/orgs/${organization}/translator`)
    api.advance(60_000)
    await runTranslations(api)
    requests.length = 0
    answering = right
  })
  afterAll(() => web.close())

  describe('without a translator', () => {
    test('send nothing, and use the translations from files', async () => {
      const { space, pages } = await newSource(guide)
      const copy = await follow(space)
      expect(await runTranslations(api)).toEqual([])
      expect(requests).toEqual([])
      expect(await textOf(copy, pages[0]!)).toBe(guide)
      const waiting = await stateOf(copy)
      expect(waiting).toMatchObject({
        status: 'completed',
        language: 'de',
        failed: 0,
        source: { space, isCurrent: true },
      })
      expect(waiting.missing).toBeGreaterThan(5)
      expect(await pagesOf(copy)).toEqual({ [pages[0]!]: 'incomplete' })

      const xliff = (await api.request(admin, 'GET', `/spaces/${copy}/translation/xliff`)).text
      expect(xliff).toContain(
        '<source>Read the <g id="1">first page</g> and run <x id="2"/>, <g id="3">now</g>.</source>',
      )
      const filled = xliff.replace(
        /<source>(.*)<\/source>\s*<target state="needs-translation"><\/target>/g,
        (_found, source: string) =>
          `<source>${source}</source><target state="translated">${translateToCapitals(source)}</target>`,
      )
      const report = await make('POST', `/spaces/${copy}/translation/xliff`, { xliff: filled })
      expect(report).toMatchObject({ taken: waiting.missing, unknown: 0, refusedCount: 0 })
      await runTranslations(api)
      const text = await textOf(copy, pages[0]!)
      expect(text).toContain('READ THE [FIRST PAGE](first.md#setup) AND RUN `npm start`, **NOW**.')
      expect(text).toContain('description: WHAT THIS IS ABOUT.')
      expect(text).toContain('ONLY {{ user.name }} MAY DO THIS.')
      expect(text).toContain("const untouched = 'yes'")
      expect(text).toContain('| ONE  | THE FIRST |')
      expect(await stateOf(copy)).toMatchObject({ missing: 0, failed: 0 })
      expect(await pagesOf(copy)).toEqual({ [pages[0]!]: 'up-to-date' })
      expect((await make('GET', `/spaces/${copy}`)).language).toBe('de')
      expect(await make('POST', `/spaces/${copy}/translation/xliff`, { xliff: filled })).toMatchObject({
        taken: 0,
        unchanged: waiting.missing,
      })
    })

    test.each([
      ['<!DOCTYPE xliff [<!ENTITY a "b">]><xliff version="1.2"></xliff>', 'document type'],
      ['<xliff version="1.2"><file source-language="en" target-language="de"><body>', 'not all of it'],
      ['<xliff version="2.0"></xliff>', 'XLIFF 1.2'],
      [`<xliff version="1.2">${'<a>'.repeat(100)}`, 'too deep'],
      ['<xliff version="1.2">&boom;</xliff>', 'entity'],
      ['hello', 'text outside'],
      [
        '<xliff version="1.2"><file source-language="en" target-language="fr"><body><trans-unit id="a"><source>a</source><target>b</target></trans-unit></body></file></xliff>',
        'from "en" to "fr"',
      ],
    ])('refuse the file %j', async (xliff, problem) => {
      const { space } = await newSource('# A\n\nWords.\n')
      const copy = await follow(space)
      expect(await refuse(400, 'POST', `/spaces/${copy}/translation/xliff`, { xliff })).toContain(problem)
    })

    test('refuse units of a file that would break their page', async () => {
      const { space, pages } = await newSource('# A\n\nSee [the page](b.md).\n')
      const copy = await follow(space)
      const xliff = (
        await api.request(admin, 'GET', `/spaces/${copy}/translation/xliff?only=missing&pageId=${pages[0]}`)
      ).text
      const lying = xliff.replace(
        /(<g id="1">the page<\/g>.*\s*)<target.*<\/target>/,
        '$1<target>Siehe https://evil.example.</target>',
      )
      expect(lying).toContain('evil')
      const report = await make('POST', `/spaces/${copy}/translation/xliff`, { xliff: lying })
      expect(report).toMatchObject({ taken: 0, refusedCount: 1 })
      expect(report.refused[0].problem).toContain('missing')
    })
  })

  describe('with a translator', () => {
    test('send missing units once, and afterwards the changed ones', async () => {
      await useTranslator()
      const { space, pages } = await newSource(guide, '# First\n\nOne.\n\nTwo.\n\nThree.\n')
      const copy = await follow(space)
      await runTranslations(api)
      expect(requests[0]).toMatchObject({ authorization: 'Bearer sk-secret', url: '/v1/chat/completions' })
      expect(await textOf(copy, pages[1]!)).toBe('# FIRST\n\nONE.\n\nTWO.\n\nTHREE.\n')
      expect(await textOf(copy, pages[0]!)).toContain('## SETUP')
      const before = await stateOf(copy)
      expect(before).toMatchObject({ status: 'completed', missing: 0, failed: 0 })
      expect(before.charactersEver).toBe(sentLines().join('').length)

      requests.length = 0
      await change(space, {
        operation: 'update_page',
        page: pages[1],
        document: { markdown: '# First\n\nOne.\n\nTwo more.\n\nThree.\n' },
      })
      expect(await pagesOf(copy)).toEqual({ [pages[0]!]: 'up-to-date', [pages[1]!]: 'outdated' })
      const blocks = await blocksOf(copy, pages[1]!)
      expect(blocks.map(({ state }: any) => state)).toEqual([
        'up-to-date',
        'up-to-date',
        'outdated',
        'up-to-date',
      ])
      // Edits of a source are debounced.
      await runTranslations(api)
      expect(requests).toEqual([])
      api.advance(60_000)
      await runTranslations(api)
      expect(sentLines()).toEqual(['Two more.'])
      expect(await textOf(copy, pages[1]!)).toBe('# FIRST\n\nONE.\n\nTWO MORE.\n\nTHREE.\n')
      const { items } = await make('GET', `/spaces/${copy}/revisions`)
      expect(items).toHaveLength(3)
    })

    test('preserve the edits of people, and report where the source changed', async () => {
      await useTranslator()
      const { space, pages } = await newSource('# A\n\nOne.\n\nTwo.\n\nThree.\n')
      const [page] = pages
      const copy = await follow(space)
      await runTranslations(api)
      await make('PATCH', `/spaces/${copy}`, { editMode: 'live' })
      await change(copy, {
        operation: 'update_page',
        page,
        document: { markdown: '# A\n\nONE.\n\nBy hand.\n\nTHREE.\n' },
      })
      expect(await pagesOf(copy)).toEqual({ [page!]: 'edited' })
      expect((await blocksOf(copy, page!)).map(({ state }: any) => state)).toEqual([
        'up-to-date',
        'up-to-date',
        'edited',
        'up-to-date',
      ])
      await change(space, {
        operation: 'update_page',
        page,
        document: { markdown: '# A\n\nOne!\n\nTwo!\n\nThree.\n' },
      })
      await make('POST', `/spaces/${copy}/translation/run`)
      await runTranslations(api)
      expect(await textOf(copy, page!)).toBe('# A\n\nONE!\n\nBy hand.\n\nTHREE.\n')
      expect(await pagesOf(copy)).toEqual({ [page!]: 'outdated' })
      expect((await blocksOf(copy, page!))[2]).toMatchObject({
        state: 'outdated',
        source: 'Two!',
        translation: 'By hand.',
      })
      await change(copy, {
        operation: 'update_page',
        page,
        document: { markdown: '# A\n\nONE!\n\nBy hand!\n\nTHREE.\n' },
      })
      expect((await blocksOf(copy, page!))[2]).toMatchObject({ state: 'edited' })
      // "everything" sends all units again, and preserves the edits of people.
      requests.length = 0
      await make('POST', `/spaces/${copy}/translation/run`, { again: 'everything' })
      await runTranslations(api)
      expect(sentLines()).toContain('Three.')
      expect(await textOf(copy, page!)).toBe('# A\n\nONE!\n\nBy hand!\n\nTHREE.\n')
    })

    test('follow moves, new names, new pages and removals', async () => {
      await useTranslator()
      const { space, pages } = await newSource('# A\n\nSee [b](b.md).\n', '# B\n\nWords.\n', '# C\n')
      const copy = await follow(space)
      await runTranslations(api)
      await change(
        space,
        { operation: 'update_page', page: pages[1], slug: 'other', into: pages[0] },
        { operation: 'delete_page', page: pages[2] },
        { operation: 'insert_page', title: 'D', document: { markdown: '# New one\n' } },
      )
      api.advance(60_000)
      await runTranslations(api)
      const copied = await make('GET', `/spaces/${copy}/content/pages`)
      const source = await make('GET', `/spaces/${space}/content/pages`)
      const outline = (all: any[]): unknown =>
        all.map(({ id, slug, path, pages: inner }) => [id, slug, path, outline(inner ?? [])])
      expect(outline(copied.pages)).toEqual(outline(source.pages))
      expect(JSON.stringify(copied.pages)).toContain('NEW ONE')
      expect(Object.values(await pagesOf(copy))).toEqual(['up-to-date', 'up-to-date', 'up-to-date'])
    })

    const words = '# A\n\nSee [the page](b.md) and `code`.\n'
    test.each<[string, (text: string) => string, string]>([
      ['drops links', (text) => text.replace(/<[^>]*>/g, ''), 'missing'],
      ['adds blocks', (text) => `${text}\n\n# More`, 'line breaks'],
      ['adds Markdown', (text) => `${text} **loud**`, 'adds markup'],
      ['adds HTML', (text) => `${text} &lt;script&gt;alert(1)&lt;/script&gt;`, 'adds markup'],
      ['adds expressions', (text) => `${text} {{ visitor.secret }}`, 'adds markup'],
      ['adds tags', (text) => `${text} {% include "a.md" %}`, 'adds markup'],
      ['says codes twice', (text) => text + text, 'added'],
      ['says nothing', () => '', 'empty'],
      ['floods', (text) => text + 'x'.repeat(10_000), 'too long'],
    ])('that %s leave the unit untranslated, and report it', async (_name, lie, problem) => {
      await useTranslator()
      answering = ({ lines }, response) =>
        answerLines(
          response,
          lines.map(({ id, text }) => ({
            id,
            text: text.includes('<g1>') ? lie(translateToCapitals(text)) : translateToCapitals(text),
          })),
        )
      const { space, pages } = await newSource(words)
      const copy = await follow(space)
      await runTranslations(api)
      expect(await textOf(copy, pages[0]!)).toBe(words)
      expect(await stateOf(copy)).toMatchObject({ status: 'completed', missing: 0, failed: 1 })
      const [, block] = await blocksOf(copy, pages[0]!)
      expect(block).toMatchObject({ state: 'failed', source: 'See [the page](b.md) and `code`.' })
      expect(block.problem).toContain(problem)
      // Retried once, with the fault; then left until the next request.
      expect(sentLines().filter((text) => text.includes('<g1>'))).toHaveLength(2)
      expect(requests.at(-1)!.order).toContain(problem)
      requests.length = 0
      answering = right
      await make('POST', `/spaces/${copy}/translation/run`)
      await runTranslations(api)
      expect(requests).toEqual([])
      await make('POST', `/spaces/${copy}/translation/run`, { again: 'failed' })
      await runTranslations(api)
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nSEE [THE PAGE](b.md) AND `code`.\n')
      expect(await stateOf(copy)).toMatchObject({ failed: 0 })
    })

    test.each<[string, Responder]>([
      ['a web page', (_asked, response) => void response.end('<!doctype html><title>Sign in</title>')],
      ['no JSON', (_asked, response) => void response.end('I am sorry.')],
      ['JSON of another protocol', (_asked, response) => void response.end('{"lines":[]}')],
      [
        'a hundred megabytes',
        (_asked, response) => {
          const chunk = Buffer.alloc(1 << 20, 'x')
          let sent = 0
          const more = (): void => {
            if (sent++ > 100 || response.destroyed) response.end()
            else response.write(chunk, more)
          }
          more()
        },
      ],
    ])(
      'are none that answer %s: nothing is marked as refused, and the run says what to do',
      async (name, lie) => {
        await useTranslator()
        answering = lie
        const { space, pages } = await newSource(words)
        const copy = await follow(space)
        expect(await runTranslations(api)).toEqual([])
        expect(requests).toHaveLength(1)
        expect(await textOf(copy, pages[0]!)).toBe(words)
        const state = await stateOf(copy)
        expect(state).toMatchObject({ status: 'failed', failed: 0, missing: 2 })
        expect(state.problem).toMatch(
          name === 'a web page'
            ? /a web page that is no chat completion: check that its endpoint/
            : /endpoint/,
        )
        answering = right
        await make('POST', `/spaces/${copy}/translation/run`)
        await runTranslations(api)
        expect(await textOf(copy, pages[0]!)).toBe('# A\n\nSEE [THE PAGE](b.md) AND `code`.\n')
      },
    )

    test('that write controls of text direction are taken without them', async () => {
      await useTranslator()
      answering = ({ lines }, response) =>
        answerLines(
          response,
          lines.map(({ id, text }) => ({ id, text: `\u202e${translateToCapitals(text)}\u2069` })),
        )
      const { space, pages } = await newSource(words)
      const copy = await follow(space)
      await runTranslations(api)
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nSEE [THE PAGE](b.md) AND `code`.\n')
    })

    test('that return no lines leave everything unchanged', async () => {
      await useTranslator()
      answering = (_asked, response) => void response.end('{"choices":[{"message":{"content":"[1,2]"}}]}')
      const { space, pages } = await newSource(words)
      const copy = await follow(space)
      await runTranslations(api)
      expect(await textOf(copy, pages[0]!)).toBe(words)
      expect(await stateOf(copy)).toMatchObject({ status: 'completed', failed: 2 })
    })

    test('are authored by the member who requested the run, and by the author of the source once that member has left', async () => {
      await useTranslator()
      const leaving = await api.person(`leaving${api.now()}`)
      await api.join(organization as never, leaving, 'admin')
      const { space, pages } = await newSource('# A\n\nOne.\n')
      const { space: copy } = await make(
        'POST',
        `${settings}/spaces`,
        { source: space, language: 'de' },
        leaving,
      )
      const writes = async (text: string) => {
        const document = { markdown: `# A\n\n${text}.\n` }
        const changes = [{ operation: 'update_page', page: pages[0], document }]
        await make('POST', `/spaces/${space}/content`, { changes }, editor)
        api.advance(60_000)
        expect(await runTranslations(api)).toEqual([])
        return (await make('GET', `/spaces/${copy}/content`)).createdBy.id
      }
      expect(await writes('Two')).toBe(leaving.id)
      await make('DELETE', `/orgs/${organization}/members/${leaving.id}`)
      expect(await writes('Three')).toBe(editor.id)
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nTHREE.\n')
      await make('POST', `/spaces/${copy}/translation/run`, { again: 'everything' })
      expect(await writes('Four')).toBe(admin.id)
    })

    test('wait for a busy one, and retry an unreachable one', async () => {
      await useTranslator()
      const { space, pages } = await newSource('# A\n\nOne.\n')
      const copy = await follow(space)
      const troubles: Responder[] = [
        (_asked, response) => void response.writeHead(429, { 'retry-after': '2' }).end(),
        (_asked, response) => void response.destroy(),
      ]
      answering = (one, response) => (troubles.shift() ?? right)(one, response)
      expect(await runTranslations(api)).toEqual([])
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nONE.\n')

      await change(space, {
        operation: 'update_page',
        page: pages[0],
        document: { markdown: '# A\n\nTwo.\n' },
      })
      api.advance(60_000)
      answering = (_asked, response) => void response.writeHead(500).end()
      const [failure] = await runTranslations(api)
      expect(failure!.message).toContain('500')
      expect(await stateOf(copy)).toMatchObject({
        status: 'pending',
        problem: expect.stringContaining('500'),
      })
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nONE.\n')
      answering = right
      api.advance(60_000)
      await runTranslations(api)
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nTWO.\n')
      expect(await stateOf(copy)).toMatchObject({ status: 'completed' })
      expect((await stateOf(copy)).problem).toBeUndefined()
    })

    test.each<[string, Responder]>([
      ['never answers', () => {}],
      [
        'answers a byte now and then',
        (_asked, response) => {
          const drop = setInterval(() => response.write(' '), 10)
          response.on('close', () => clearInterval(drop))
        },
      ],
      [
        'goes away in the middle of its answer',
        (_asked, response) => {
          response.writeHead(200, { 'content-length': 1_000 })
          response.write('{"choices":[', () => response.destroy())
        },
      ],
    ])('abort a request that %s, and retry', async (_name, trouble) => {
      await useTranslator()
      const { space, pages } = await newSource('# A\n\nOne.\n')
      const copy = await follow(space)
      answering = trouble
      const [failure] = await runTranslations(api, undefined, { timeout: 100 })
      expect(failure!.message).toContain('The translator failed')
      expect(requests).toHaveLength(3)
      expect(await stateOf(copy)).toMatchObject({
        status: 'pending',
        problem: expect.stringContaining('failed'),
      })
      answering = right
      api.advance(60_000)
      expect(await runTranslations(api)).toEqual([])
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nONE.\n')
    })

    test('send one unit of hundreds of pages when one block was edited, and read only that page', async () => {
      await useTranslator()
      const count = 300
      const { space, pages } = await newSource('# First\n\nOne.\n\nTwo.\n')
      for (let at = 0; at < count; at += 50) {
        const inserts = Array.from({ length: 50 }, (_, index) => ({
          operation: 'insert_page',
          title: 'P',
          document: { markdown: `# Page\n\nWords of ${'x'.repeat((at + index) % 40)} page ${at + index}.\n` },
        }))
        await change(space, ...inserts)
      }
      const copy = await follow(space)
      await runTranslations(api)
      expect(await stateOf(copy)).toMatchObject({ status: 'completed', missing: 0, failed: 0 })
      expect(sentLines().length).toBeGreaterThan(count)

      requests.length = 0
      await change(space, {
        operation: 'update_page',
        page: pages[0],
        document: { markdown: '# First\n\nOne.\n\nTwo more.\n' },
      })
      api.advance(60_000)
      const read = new Set<string>()
      const texts = { get: (key: string) => void read.add(key), set: () => {} }
      const objects = { ...api.services.objects, texts }
      await runTranslations({ now: api.now, services: { ...api.services, objects } })
      expect(sentLines()).toEqual(['Two more.'])
      // The page now, before, and in the two trees of the translation.
      expect(read.size).toBeGreaterThan(0)
      expect(read.size).toBeLessThan(10)
      expect(await textOf(copy, pages[0]!)).toBe('# FIRST\n\nONE.\n\nTWO MORE.\n')
    })

    test('fail immediately when retrying is useless', async () => {
      await useTranslator()
      answering = (_asked, response) => void response.writeHead(401).end('{"error":"sk-secret is wrong"}')
      const { space } = await newSource('# A\n\nOne.\n')
      const copy = await follow(space)
      expect(await runTranslations(api)).toEqual([])
      const state = await stateOf(copy)
      expect(state).toMatchObject({ status: 'failed', problem: 'The translator answered 401.' })
      expect(requests).toHaveLength(1)
    })

    test('resume after they were killed', async () => {
      await useTranslator()
      const many = Array.from(
        { length: 120 },
        (_, index) => `Passage number ${String.fromCharCode(97 + (index % 26))}${index}.`,
      )
      const { space, pages } = await newSource(`# A\n\n${many.join('\n\n')}\n`)
      const copy = await follow(space)
      const killing = new AbortController()
      answering = (one, response) => {
        if (requests.length >= 4) killing.abort(new Error('killed'))
        else right(one, response)
      }
      await runTranslations(api, killing.signal)
      expect(await stateOf(copy)).toMatchObject({ status: 'running' })
      requests.length = 0
      answering = right
      api.advance(120_000)
      await runTranslations(api)
      expect(await stateOf(copy)).toMatchObject({ status: 'completed', missing: 0 })
      // Stored responses are not requested again: one request of thirty units was answered before the fourth started.
      expect(sentLines().length).toBeLessThanOrEqual(91)
      expect(await textOf(copy, pages[0]!)).toContain('PASSAGE NUMBER A0.')
    })

    test('fail when every attempt was killed, and can be requested again', async () => {
      await useTranslator()
      const { space, pages } = await newSource('# A\n\nOne.\n')
      const copy = await follow(space)
      const killing = new AbortController()
      answering = () => killing.abort(new Error('killed'))
      await runTranslations(api, killing.signal)
      expect(await stateOf(copy)).toMatchObject({ status: 'running' })
      await database.write((tx) =>
        tx.updateTable('jobs').set({ attempts: 20, given_back: 0 }).where('key', '=', copy).execute(),
      )
      answering = right
      api.advance(120_000)
      const [failure] = await runTranslations(api)
      expect(failure?.message).toContain('The process ended 20 times')
      expect(await stateOf(copy)).toMatchObject({
        status: 'failed',
        problem: expect.stringContaining('no end'),
      })
      await make('POST', `/spaces/${copy}/translation/run`)
      await runTranslations(api)
      expect(await stateOf(copy)).toMatchObject({ status: 'completed', missing: 0 })
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nONE.\n')
    })

    test('can be canceled, and preserve the responses', async () => {
      await useTranslator()
      const { space, pages } = await newSource('# A\n\nOne.\n')
      const copy = await follow(space)
      answering = (one, response) => {
        void make('POST', `/spaces/${copy}/translation/cancel`).then(() => right(one, response))
      }
      await runTranslations(api)
      expect(await stateOf(copy)).toMatchObject({ status: 'canceled' })
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nOne.\n')
      requests.length = 0
      answering = right
      await make('POST', `/spaces/${copy}/translation/run`)
      await runTranslations(api)
      expect(requests).toEqual([])
      expect(await textOf(copy, pages[0]!)).toBe('# A\n\nONE.\n')
    })

    test.each<[string, (source: string, copy: string) => readonly [string, string, unknown?], object | null]>(
      [
        [
          'its source goes to the trash',
          (source) => ['DELETE', `/spaces/${source}`],
          { status: 'completed', missing: 0 },
        ],
        ['it goes to the trash itself', (_, copy) => ['DELETE', `/spaces/${copy}`], { status: 'failed' }],
        [
          'its translator is taken away',
          () => ['DELETE', `/orgs/${organization}/translator`],
          { status: 'completed', missing: 0 },
        ],
        ['it is deleted', (_, copy) => ['DELETE', `/spaces/${copy}/translation`], null],
      ],
    )('end in a defined state when %s meanwhile', async (_name, act, expected) => {
      await useTranslator()
      const { space, pages } = await newSource('# A\n\nOne.\n')
      const copy = await follow(space)
      let isDone = false
      answering = (one, response) => {
        const acting = isDone ? Promise.resolve() : make(...act(space, copy))
        isDone = true
        void acting.then(() => right(one, response))
      }
      expect(await runTranslations(api)).toEqual([])
      expect(isDone).toBe(true)
      if (expected === null) await refuse(404, 'GET', `/spaces/${copy}/translation`)
      else expect(await stateOf(copy)).toMatchObject(expected)
      const written = (await textOf(copy, pages[0]!)) === '# A\n\nONE.\n'
      expect(written).toBe(expected !== null && 'missing' in expected)
      // And nothing is retried.
      api.advance(3_600_000)
      requests.length = 0
      expect(await runTranslations(api)).toEqual([])
      expect(requests).toEqual([])
    })

    test('send no more characters than a run may', async () => {
      await useTranslator({ charactersPerRun: 1_000 })
      const { space } = await newSource(`# A\n\n${'word '.repeat(150)}\n\n${'more '.repeat(150)}\n`)
      const copy = await follow(space)
      await runTranslations(api)
      expect(sentLines().join('').length).toBeLessThanOrEqual(1_000)
      expect(await stateOf(copy)).toMatchObject({
        status: 'completed',
        missing: 1,
        problem: expect.stringContaining('characters'),
      })
      await make('POST', `/spaces/${copy}/translation/run`)
      await runTranslations(api)
      expect(await stateOf(copy)).toMatchObject({ missing: 0 })
    })

    test('receive the instructions and the relevant glossary terms', async () => {
      await useTranslator()
      await make('PUT', `${settings}/guidance`, {
        instructions: 'Be polite.',
        glossary: [
          { term: 'Octavo' },
          { term: 'space', translations: { de: 'Bereich' } },
          { term: 'unrelated' },
        ],
      })
      const { space } = await newSource('# A\n\nA space of Octavo.\n')
      await follow(space)
      await runTranslations(api)
      const { order } = requests[0]!
      expect(order).toContain('Be polite.')
      expect(order).toContain('"space": "Bereich"')
      expect(order).toContain('"Octavo" stays')
      expect(order).not.toContain('unrelated')
      expect(await make('GET', `${settings}/guidance`, undefined, reader)).toMatchObject({
        instructions: 'Be polite.',
      })
      await make('PUT', `${settings}/guidance`, {})
    })
  })

  test('never reveal the key, and send it to no other endpoint', async () => {
    const { text } = await api.request(admin, 'PUT', `/orgs/${organization}/translator`, {
      endpoint: `${web.url}/v1`,
      model: 'm',
      key: 'sk-secret',
    })
    expect(text).not.toContain('secret')
    const row = await acrossTestOrganizations(database.read)
      .selectFrom('organization_translators')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('sk-secret')
    expect(
      await make('PUT', `/orgs/${organization}/translator`, { endpoint: `${web.url}/v1`, model: 'n' }),
    ).toMatchObject({ hasKey: true, model: 'n' })
    expect(
      await make('PUT', `/orgs/${organization}/translator`, { endpoint: `${web.url}/v2`, model: 'n' }),
    ).toMatchObject({ hasKey: false })
    await refuse(403, 'GET', `/orgs/${organization}/translator`, undefined, editor)
    expect(
      await refuse(400, 'PUT', `/orgs/${organization}/translator`, { endpoint: 'http://u:p@h/', model: 'n' }),
    ).toContain('endpoint')
  })

  test('reveal nothing of a source to those who may not read it', async () => {
    const { space, pages } = await newSource('# Secret\n\nHidden words.\n')
    const copy = await follow(space)
    await runTranslations(api)
    await make('PATCH', `/spaces/${space}`, { defaultLevel: null })
    for (const path of ['', '/pages', `/pages/${pages[0]}`, '/xliff'])
      await refuse(404, 'GET', `/spaces/${copy}/translation${path}`, undefined, editor)
    await make('GET', `/spaces/${copy}/translation`)
    await make('PATCH', `/spaces/${space}`, { defaultLevel: 'read' })
    await make('GET', `/spaces/${copy}/translation`, undefined, editor)
    await refuse(403, 'POST', `/spaces/${copy}/translation/run`, undefined, editor)
    await refuse(403, 'POST', `${settings}/spaces`, { source: space, language: 'fr' }, editor)
  })

  test('are refused for invalid sources and languages', async () => {
    const { space } = await newSource('# A\n')
    const at = `${settings}/spaces`
    expect(await refuse(400, 'POST', at, { source: 'nothing', language: 'de' })).toContain('source')
    expect(await refuse(400, 'POST', at, { source: space, language: 'ja' })).toContain('language')
    expect(await refuse(400, 'POST', at, { source: space, language: 'de', sourceLanguage: 'de' })).toContain(
      'language',
    )
    await follow(space)
    await refuse(409, 'POST', at, { source: space, language: 'de' })
    await refuse(404, 'GET', `/spaces/${space}/translation`)
  })

  test('end with their source or when they are deleted, and the space stays', async () => {
    const { space } = await newSource('# A\n\nWords.\n')
    const copy = await follow(space)
    await runTranslations(api)
    await make('DELETE', `/spaces/${space}`)
    await make('POST', `/spaces/${copy}/translation/run`)
    await runTranslations(api)
    expect(await stateOf(copy)).toMatchObject({ status: 'failed', problem: expect.stringContaining('trash') })
    expect((await api.request(admin, 'DELETE', `/spaces/${copy}/translation`)).status).toBe(205)
    expect((await api.request(admin, 'DELETE', `/spaces/${copy}/translation`)).status).toBe(204)
    await make('GET', `/spaces/${copy}`)
    await make('POST', `/spaces/${copy}/translation/run`).then(
      () => expect.unreachable(),
      () => {},
    )
  })

  test('protect their contents from garbage collection', async () => {
    await useTranslator()
    const { space, pages } = await newSource('# A\n\nOne.\n\nTwo.\n')
    const copy = await follow(space)
    await runTranslations(api)
    await make('PATCH', `/spaces/${copy}`, { editMode: 'live' })
    await change(copy, {
      operation: 'update_page',
      page: pages[0],
      document: { markdown: '# A\n\nBy hand.\n\nTWO.\n' },
    })
    await change(space, {
      operation: 'update_page',
      page: pages[0],
      document: { markdown: '# A\n\nOne!\n\nTwo.\n' },
    })
    await make('POST', `/spaces/${copy}/translation/run`)
    await runTranslations(api)
    await database.write((tx) =>
      acrossTestOrganizations(tx).updateTable('objects').set({ put_at: 0 }).execute(),
    )
    const collected = await collectObjects({
      database,
      organizationId: organization as never,
      signal: new AbortController().signal,
    })
    expect(collected).toBeDefined()
    await change(space, {
      operation: 'update_page',
      page: pages[0],
      document: { markdown: '# A\n\nOne!\n\nThree.\n' },
    })
    await make('POST', `/spaces/${copy}/translation/run`)
    expect(await runTranslations(api)).toEqual([])
    expect(await textOf(copy, pages[0]!)).toBe('# A\n\nBy hand.\n\nTHREE.\n')
  })
})
