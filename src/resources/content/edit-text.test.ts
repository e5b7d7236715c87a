/** Edits of texts by splices, over HTTP: rebase, merge, repetition, refusals, and what happens to the page meanwhile. */
import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashDocument } from '../../core/editing/canonical.js'
import { applyChangedBlocks, type DocumentChange } from '../../core/editing/changed-blocks.js'
import { sourceDocument } from '../../core/editing/source-blocks.js'
import { type Splice, applySplices } from '../../core/editing/splice.js'
import { parsePage } from '../../core/markdown/parse.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

const text = '# Guide\n\nOne two three.\n\n- first\n- last\n\n😀 end\n'
const hashOf = (written: string) => createHash('sha256').update(written).digest('base64url')
const documentOf = (written: string) => sourceDocument(written, parsePage(written))
const replace = (within: string, from: string, to: string): Splice => {
  const start = within.indexOf(from)
  return { start, end: start + from.length, text: to }
}

describeEngines('an edit of a text by splices', (engine) => {
  let api: TestClient
  let ann: Person
  let bob: Person
  let organization: string
  let space: string
  let request: string
  let page: string
  let seq = 0

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    bob = await api.person('bob')
    organization = await api.organization(ann)
    await api.join(organization as never, bob, 'admin')
  })
  beforeEach(async () => {
    const body = { editMode: 'live', empty: true }
    space = `/spaces/${(await send('POST', `/orgs/${organization}/spaces`, body)).body.id}`
    page = await insert(text)
    request = `${space}/change-requests/${(await send('POST', `${space}/change-requests`, {})).body.number}`
  })

  const send = (method: string, path: string, body?: object, person = ann) =>
    api.request(person, method, path, body)
  const change = async (changes: readonly object[], place = request) => {
    const answer = await send('POST', `${place}/content?compat=false`, { changes })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const update = (markdown: string) => ({ operation: 'update_page', page, document: { markdown } })
  async function insert(markdown: string, place = space): Promise<string> {
    const { changes } = await change([{ operation: 'insert_page', document: { markdown } }], place)
    return changes[0].page.id
  }
  const edit = (
    base: string,
    splices: readonly object[],
    { place = request, person = ann, ...more }: any = {},
  ) =>
    send(
      'PATCH',
      `${place}/content/page/${page}/text`,
      { base: hashOf(base), splices, client: 'editor', seq: seq++, ...more },
      person,
    )
  const read = async (place = request) =>
    (await send('GET', `${place}/content/page/${page}/text`)).body as { text: string; hash: string }
  const headOf = async () => (await send('GET', request)).body.revision

  /** Checks an answer against the text that is stored, and what an editor makes of it. */
  async function expectReplica(base: string, splices: readonly Splice[], answer: any, place = request) {
    expect(answer.status, answer.text).toBe(200)
    const { body } = answer
    const stored = await read(place)
    const replica = applySplices(applySplices(base, splices), body.came)
    expect([replica, hashOf(replica)]).toEqual([stored.text, body.hash])
    const { frontMatter, title, blocks, footnotes = [] } = body
    const delta: DocumentChange = {
      ...(frontMatter && { frontMatter }),
      ...(title && { title }),
      blocks,
      footnotes,
    }
    const wire = JSON.parse(JSON.stringify(documentOf(stored.text)))
    expect(applyChangedBlocks(documentOf(base), delta)).toEqual(wire)
    return stored.text
  }

  test('is made on the current text, in a change request and in a live space', async () => {
    const splices = [replace(text, 'two', 'zwei')]
    const answer = await edit(text, splices)
    expect(await expectReplica(text, splices, answer)).toBe(text.replace('two', 'zwei'))
    expect(answer.body).toMatchObject({ revision: await headOf(), path: 'guide', came: [] })
    expect((await read(space)).text).toBe(text)
    const live = await edit(text, splices, { place: space })
    expect(await expectReplica(text, splices, live, space)).toBe(text.replace('two', 'zwei'))
  })

  test('is rebased over those of others since its base', async () => {
    const theirs = [replace(text, 'One', 'Eins'), replace(text, '- last\n', '')]
    await expectReplica(text, theirs, await edit(text, theirs, { person: bob }))
    const second = text.replace('One', 'Eins').replace('- last\n', '')
    const more = [replace(second, 'end', 'Ende')]
    await expectReplica(second, more, await edit(second, more, { person: bob }))
    const ours = [replace(text, 'three', 'drei'), replace(text, 'last', 'the last')]
    const merged = await expectReplica(text, ours, await edit(text, ours))
    expect(merged).toBe('# Guide\n\nEins two drei.\n\n- first\n- the last\n\n😀 Ende\n')
  })

  test('without splices answers what came', async () => {
    const theirs = [replace(text, 'two', 'zwei')]
    await edit(text, theirs, { person: bob })
    const head = await headOf()
    const answer = await edit(text, [])
    await expectReplica(text, [], answer)
    expect(answer.body).toMatchObject({ came: theirs, revision: head })
    expect(await headOf()).toBe(head)
  })

  test('is made once, however often it is sent, and answered as it was then', async () => {
    await edit(text, [replace(text, 'One', 'Eins')], { person: bob })
    const splices = [{ start: text.length, end: text.length, text: 'Once.\n' }]
    const first = await edit(text, splices, { seq: 1, client: 'tab' })
    const then = (await read()).text
    const later = [replace(then, 'two', 'zwei')]
    expect((await edit(then, later, { person: bob })).status).toBe(200)
    for (const _ of ['again', 'and again']) {
      const again = await edit(text, splices, { seq: 1, client: 'tab' })
      expect([again.status, again.body]).toEqual([200, first.body])
    }
    expect((await read()).text.split('Once.').length).toBe(2)
    // Numbers are counted by each client and each person.
    for (const other of [{ client: 'other-tab' }, { person: bob }, { seq: 2 }])
      expect((await edit(text, [], { seq: 1, client: 'tab', ...other })).status).toBe(200)
    const taken = await edit(text, [replace(text, 'two', '2')], { seq: 1, client: 'tab' })
    expect([taken.status, taken.body.error.message]).toEqual([409, expect.stringContaining('"seq"')])
  })

  test('on a text of a former revision is merged with what was written as a whole', async () => {
    const other = await insert('# Other\n', request)
    const linked = `${text}\n[other](other.md)\n`
    await change([update(linked)])
    const folder = await insert('# Folder\n', request)
    await change([
      { operation: 'update_page', page, into: folder },
      { operation: 'update_page', page: other, slug: 'renamed' },
    ])
    const splices = [
      replace(linked, 'two', 'zwei'),
      { start: linked.length, end: linked.length, text: '[again](other.md)\n' },
    ]
    const answer = await edit(linked, splices)
    const merged = await expectReplica(linked, splices, answer)
    expect(answer.body.path).toBe('folder/guide')
    expect(merged).toBe(
      `${linked.replace('two', 'zwei')}[again](other.md)\n`.replaceAll('(other.md)', '(../renamed.md)'),
    )
  })

  test('on a text before recorded edits is merged with a whole text that followed them', async () => {
    await edit(text, [replace(text, 'One', 'Eins')], { person: bob })
    await change([update(text.replace('One', 'Eins').replace('last', 'letzte'))])
    const splices = [replace(text, 'end', 'Ende')]
    const merged = await expectReplica(text, splices, await edit(text, splices))
    expect(merged).toBe(text.replace('One', 'Eins').replace('last', 'letzte').replace('end', 'Ende'))
  })

  test.each([
    ['recorded', () => edit(text, [replace(text, 'two', 'deux')], { person: bob })],
    ['whole', () => change([update(text.replace('two', 'deux'))])],
  ])(
    'is refused where a %s edit changed the same, with all versions, and nothing is written',
    async (_, others) => {
      await others()
      const head = await headOf()
      const splices = [replace(text, 'two', 'zwei')]
      const { status, body } = await edit(text, splices)
      expect(status).toBe(409)
      const version = (markdown: string) => ({ title: 'Guide', markdown, hash: hashOf(markdown) })
      expect(body.error).toMatchObject({
        revision: head,
        sent: { base: hashOf(text), splices },
        conflicts: [
          {
            page,
            path: 'guide',
            base: version(text),
            ours: version(text.replace('two', 'zwei')),
            theirs: version(text.replace('two', 'deux')),
          },
        ],
      })
      expect(await headOf()).toBe(head)
    },
  )

  test('is refused on a text that is not known, also of another page', async () => {
    const other = 'A text of another page.\n'
    await insert(other, request)
    for (const base of ['unknown', other]) {
      const { status, body } = await edit(base, [{ start: 0, end: 0, text: 'x' }])
      expect(status).toBe(409)
      expect(body.error).toMatchObject({
        conflicts: [{ page, path: 'guide', ours: null, theirs: { markdown: text } }],
        sent: { base: hashOf(base) },
      })
    }
  })

  test('of a page that was deleted says where it was; of one that never was, 404', async () => {
    const splices = [replace(text, 'two', 'zwei')]
    const before = await headOf()
    await change([{ operation: 'delete_page', page }])
    const { status, body } = await edit(text, splices)
    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      lastRevision: before,
      conflicts: [{ page, path: 'guide', ours: { markdown: text.replace('two', 'zwei') }, theirs: null }],
    })
    expect((await edit('unknown', splices)).body.error.conflicts[0]).toMatchObject({
      ours: null,
      theirs: null,
    })
    page = 'never'
    expect((await edit(text, splices)).status).toBe(404)
  })

  test('is refused where the content may not be changed', async () => {
    const splices = [replace(text, 'two', 'zwei')]
    const eve = await api.person(`eve ${seq}`)
    expect((await edit(text, splices, { person: eve })).status).toBe(404)
    await api.join(organization as never, eve, 'read')
    expect((await edit(text, splices, { person: eve })).status).toBe(403)
    await send('PATCH', space, { editMode: 'locked' })
    expect((await edit(text, splices, { place: space })).status).toBe(403)
    await send('PATCH', request, { status: 'archived' })
    expect((await edit(text, splices)).status).toBe(409)
    expect((await edit(text, splices, { place: `${space}/change-requests/99` })).status).toBe(404)
    expect((await read()).text).toBe(text)
  })

  describe('has splices', () => {
    const at = (start: number, end: number, inserted = '') => ({ start, end, text: inserted })
    const emoji = text.indexOf('😀')
    test.each([
      ['overlapping', [at(0, 3), at(4, 8), at(7, 9)], 'splices[2]'],
      ['unordered', [at(5, 6), at(0, 1)], 'splices[1]'],
      ['out of range', [at(0, 1), at(5, text.length + 1)], 'splices[1]'],
      ['backwards', [at(5, 4)], 'splices[0]'],
      ['splitting a character', [at(0, 0), at(emoji + 1, emoji + 2)], 'splices[1]'],
      ['with half of a character', [at(0, 0, '\ud83d')], 'splices[0].text'],
      ['negative', [at(-1, 0)], 'splices[0].start'],
      ['with fractions', [at(0, 0.5)], 'splices[0].end'],
      ['too many', Array.from({ length: 1_001 }, () => at(0, 0, 'x')), 'splices'],
    ])('%s: 400 with their index', async (_, splices, member) => {
      const head = await headOf()
      const { status, body } = await edit(text, splices)
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(`"body.${member}"`)])
      expect(await headOf()).toBe(head)
    })

    test('wider ones are checked as well, and so are the other members', async () => {
      const canonical = '0'.repeat(16)
      const wider = [[], [at(9, 8)]]
      expect((await edit(text, [], { canonical, wider })).body.error.message).toContain('body.wider[1][0]')
      for (const wrong of [
        { base: 'short' },
        { client: '' },
        { client: 'with space' },
        { seq: -1 },
        { seq: 0.5 },
        { canonical: 'x' },
        { wider: [[], [], []] },
        { splices: undefined },
      ])
        expect([(await edit(text, [], wrong)).status, Object.keys(wrong)]).toEqual([400, Object.keys(wrong)])
    })

    test('up to a text of 10 MB', async () => {
      const long = 'x'.repeat(9_900_000)
      expect((await edit(text, [at(0, 0, 'x'.repeat(10_000_001))])).status).toBe(413)
      expect((await edit(text, [at(0, 0, long)])).status).toBe(200)
      const grown = long + text
      const answer = await edit(grown, [at(0, 0, 'y'.repeat(200_000))])
      expect([answer.status, answer.body.error.message]).toEqual([413, expect.stringContaining('10 MB')])
    })
  })

  test('is compared with the document that is meant, written wider, or displayed as source', async () => {
    const meant = (written: string) => hashDocument(documentOf(written))
    const wide = [replace(text, 'One two three.', 'One \\*two three.')]
    const wanted = applySplices(text, wide)
    const right = await edit(text, wide, { canonical: meant(wanted) })
    expect(right.body).toMatchObject({ width: 0 })
    expect(right.body.asSource).toBeUndefined()
    await change([update(text)])
    const escaped = [replace(text, 'two', '<b>two')]
    const chosen = await edit(text, escaped, { canonical: meant(wanted), wider: [wide] })
    expect(chosen.body).toMatchObject({ width: 1, hash: hashOf(wanted) })
    await change([update(text)])
    await edit(text, [replace(text, '# Guide', '# The guide')], { person: bob })
    const wrong = await edit(text, escaped, { canonical: meant('# Something else\n') })
    await expectReplica(text, escaped, wrong)
    const [span] = wrong.body.asSource
    expect((await read()).text.slice(span.start, span.end)).toBe('One <b>two three.')
    expect(wrong.body.width).toBeUndefined()
  })

  test('survives a transfer of its space, and is not repeated after it', async () => {
    const splices = [replace(text, 'two', 'zwei')]
    const first = await edit(text, splices, { seq: 7, client: 'moved' })
    const other = await api.organization(ann, `Other ${seq}`)
    expect((await send('POST', `${space}/transfer`, { organization: other })).status).toBe(200)
    const again = await edit(text, splices, { seq: 7, client: 'moved' })
    expect(again.body).toEqual(first.body)
  })

  test('costs as much as the change, on the wire and in the database', async () => {
    const block = (index: number) =>
      `## Part ${index}\n\n${`Sentence ${index} of many words. `.repeat(10)}\n\n`
    const long = Array.from({ length: 600 }, (_, index) => block(index)).join('')
    await change([update(long)])
    await edit(long, [replace(long, 'Part 3\n', 'Part three\n')], { person: bob })
    const splices = [replace(long, 'Sentence 500', 'The sentence 500')]
    const answer = await edit(long, splices)
    await expectReplica(long, splices, answer)
    expect(answer.text.length).toBeLessThan(4_000)
    expect(answer.body.blocks.length).toBeLessThan(5)
  })
})
