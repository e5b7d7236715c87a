/** Guests cannot read specifications of the organization by referencing them, whichever endpoint they write through. */
import { zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { processSpecs, specText } from '../../../tests/openapi-specs.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

const block = (spec: string, opening = '{% ') =>
  `${opening}openapi-operation spec="${spec}" path="/pets" method="get" %}\n{% endopenapi-operation %}\n`
const byAddress = (address: string, tag = 'openapi') =>
  `{% ${tag} src="${address}" path="/pets" method="get" %}\n{% end${tag} %}\n`
const closedAddress = 'https://specs.test/closed.json'
const openAddress = 'https://specs.test/open.json'
const page = (markdown: string, slug = 'api') => ({
  changes: [{ operation: 'insert_page', title: 'API', slug, document: { markdown: `# API\n\n${markdown}` } }],
})
const computed = (spec: string) => ({
  changes: [
    {
      operation: 'insert_page',
      title: 'API',
      computed: { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec } } } },
    },
  ],
})

describeEngines('referenced specifications', (engine) => {
  let api: SiteClient
  let admin: Person
  let member: Person
  let guest: Person
  let orgPath: string
  let made = 0

  const ask = (person: Person, method: string, path: string, body?: object) =>
    api.request(person, method, path, body)
  async function must(person: Person, method: string, path: string, body?: object): Promise<any> {
    const answer = await ask(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  /** A space that the guest administers and the member edits. */
  async function newSpace(): Promise<string> {
    const { id } = await must(admin, 'POST', `${orgPath}/spaces`, {
      title: `Space ${++made}`,
      editMode: 'live',
    })
    await must(admin, 'POST', `/spaces/${id}/permissions`, { users: [guest.id], role: 'create' })
    return id
  }

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    admin = await api.person('admin')
    const organization = await api.organization(admin)
    orgPath = `/orgs/${organization}`
    member = await api.person('member')
    await api.join(organization, member, 'edit')
    guest = await api.person('guest')
    await api.join(organization, guest, null)
    for (const slug of ['closed', 'open'])
      await must(admin, 'PUT', `${orgPath}/openapi/${slug}`, {
        source: { text: specText(`Text of ${slug}`) },
      })
    await must(admin, 'PATCH', `${orgPath}/openapi/open`, { visibility: 'public' })
    await processSpecs(api)
    for (const [slug, url] of Object.entries({ 'closed-afar': closedAddress, 'open-afar': openAddress }))
      await must(admin, 'PUT', `${orgPath}/openapi/${slug}`, { source: { url } })
    await must(admin, 'PATCH', `${orgPath}/openapi/open-afar`, { visibility: 'public' })
  })

  describe('by guests', () => {
    test.each([
      ['a block', page(block('closed'))],
      ['a block in capitals', page(block('CLOSED'))],
      ['a block without a blank', page(block('closed', '{%'))],
      ['a block with many blanks', page(block('closed', '{%   '))],
      ['a block in another', page(`{% hint style="info" %}\n${block('closed')}{% endhint %}\n`)],
      ['a name that nothing has yet', page(block('later'))],
      ['a page that is made of one', computed('closed')],
      ['a block that says the address of one', page(byAddress(closedAddress))],
      ['an older block that does', page(byAddress(closedAddress, 'swagger'))],
      [
        'a block that says both',
        page(`{% openapi spec="open" src="${closedAddress}" %}\n{% endopenapi %}\n`),
      ],
      ['an address that nothing has yet', page(byAddress('https://specs.test/later.json'))],
      ['one that is open beside another', page(block('open') + block('closed'))],
    ])('are refused: %s', async (_, changes) => {
      const space = await newSpace()
      const before = (await must(guest, 'GET', `/spaces/${space}`)).revision
      const answer = await ask(guest, 'POST', `/spaces/${space}/content`, changes)
      expect(answer.status, answer.text).toBe(403)
      expect(answer.body.error.message).toMatch(/"(https:\/\/specs\.test\/)?(closed|later)(\.json)?"/)
      expect(answer.text).not.toContain('Text of')
      expect((await must(guest, 'GET', `/spaces/${space}`)).revision).toBe(before)
      await must(member, 'POST', `/spaces/${space}/content`, changes)
    })

    test('are refused in a change request and in a zip', async () => {
      const space = await newSpace()
      const request = await must(guest, 'POST', `/spaces/${space}/change-requests`, { subject: 'Look' })
      const inRequest = `/spaces/${space}/change-requests/${request.id}/content`
      expect((await ask(guest, 'POST', inRequest, page(block('closed')))).status).toBe(403)
      const { statusCode } = await api.server.inject({
        method: 'POST',
        url: `/v1/spaces/${space}/content/archive`,
        headers: { authorization: `Bearer ${guest.token}`, 'content-type': 'application/zip' },
        payload: Buffer.from(zipSync({ 'README.md': Buffer.from(`# API\n\n${block('closed')}`) })),
      })
      expect(statusCode).toBe(403)
    })

    test('are refused beside more names than an organization has, and on a page computed from another', async () => {
      const space = await newSpace()
      const many = Array.from({ length: 1_005 }, (_, at) => block(`a-${at}`)).join('\n')
      await must(member, 'POST', `/spaces/${space}/content`, page(many, 'many'))
      const closed = await ask(guest, 'POST', `/spaces/${space}/content`, page(block('closed')))
      expect(closed.status, closed.text).toBe(403)
      await must(guest, 'POST', `/spaces/${space}/content`, page(block('a-1004')))

      await must(guest, 'POST', `/spaces/${space}/content`, computed('open'))
      const { pages } = await must(guest, 'GET', `/spaces/${space}/content/pages?computed=false`)
      const made = pages.find(({ type }: { type: string }) => type === 'computed')
      const { computed: other } = computed('closed').changes[0]!
      const changes = [{ operation: 'update_page', page: made.id, computed: other }]
      const turned = await ask(guest, 'POST', `/spaces/${space}/content`, { changes })
      expect(turned.status, turned.text).toBe(403)
      await must(member, 'POST', `/spaces/${space}/content`, { changes })
    })

    test('are taken where anybody may see them, or a member named them before', async () => {
      const space = await newSpace()
      await must(guest, 'POST', `/spaces/${space}/content`, page(block('open'), 'open'))
      await must(member, 'POST', `/spaces/${space}/content`, page(block('closed')))
      await must(guest, 'POST', `/spaces/${space}/content`, page(block('closed'), 'again'))
      await must(guest, 'POST', `/spaces/${space}/content`, page(byAddress(openAddress), 'afar'))
      await must(guest, 'POST', `/spaces/${space}/content`, page(byAddress('specs/own.json'), 'own'))
      await must(member, 'POST', `/spaces/${space}/content`, page(byAddress(closedAddress), 'closed-afar'))
      await must(guest, 'POST', `/spaces/${space}/content`, page(byAddress(closedAddress), 'once-more'))
      const request = await must(member, 'POST', `/spaces/${space}/change-requests`, { subject: 'More' })
      const inRequest = `/spaces/${space}/change-requests/${request.id}`
      await must(member, 'POST', `${inRequest}/content`, page(block('later'), 'later'))
      await must(guest, 'POST', `${inRequest}/merge`)
      expect((await must(guest, 'GET', `/spaces/${space}/content/path/later`)).title).toBe('API')
    })
  })
})
