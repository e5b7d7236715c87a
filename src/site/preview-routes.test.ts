/** Preview of unsaved text: equal to the page when the text is the stored one, and nothing more than its caller may read. */
import { beforeAll, describe, expect, test } from 'vitest'
import { describeSqlite } from '../../tests/engines.js'
import { processSpecs, specText } from '../../tests/openapi-specs.js'
import { type SiteClient, openSiteClient } from '../../tests/site-client.js'
import type { Person } from '../../tests/test-client.js'
import type { OrganizationId } from '../core/ids.js'

const rich = `---
description: All kinds of blocks
icon: rocket
vars:
  edition: second
cover: ../.gitbook/assets/cover.png
---

# Rich

Version <code class="expression">space.vars.version</code>, <code class="expression">page.vars.edition</code>. [Start](../start.md), [part](#part), [gone](gone.md).

{% hint style="info" %}
Noted.
{% endhint %}

{% include "../.gitbook/includes/note.md" %}

## Part

\`\`\`js
const answer = 42
\`\`\`

$$
a^2 + b^2
$$

| A | B |
| - | - |
| 1 | 2 |

{% if visitor.claims.beta %}
For beta readers.
{% endif %}

<p onclick="alert(1)">Raw <b>HTML</b></p>
`

function firstDifference(one: string, other: string): string {
  const lines = other.split('\n')
  const at = one.split('\n').findIndex((line, index) => line !== lines[index])
  return `${one.split('\n')[at]}\n${lines[at]}`
}

describeSqlite('preview of unsaved text', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let number: number
  const ids = new Map<string, string>()
  const base = () => `/spaces/${space}/change-requests/${number}`

  const preview = (body: object, person: Person | null = ann, at = base()) =>
    api.request(person, 'POST', `${at}/content/preview`, body)

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    space = await api.folder(ann, acme, 'Guide', {
      'README.md': '# Home\n',
      'start.md': '# Start\n\nWords.\n',
      'deep/rich.md': rich,
      'SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Start](start.md)\n\n## Group\n\n* [Rich](deep/rich.md)\n',
      '.gitbook/vars.yaml': 'version: "7"\n',
      '.gitbook/includes/note.md': 'A shared note, [start](../../start.md).\n',
      '.gitbook/assets/cover.png': 'not really',
    })
    const { body } = await api.request(ann, 'POST', `/spaces/${space}/change-requests`, { subject: 'Words' })
    ;({ number } = body)
    const tree = await api.request(ann, 'GET', `${base()}/content/pages`)
    const walk = (pages: { id: string; title: string; pages?: never[] }[]) => {
      for (const page of pages) {
        ids.set(page.title, page.id)
        walk(page.pages ?? [])
      }
    }
    walk(tree.body.pages)
  })

  test('of the stored text is the page itself, in a space and in a change request', async () => {
    const own = { authorization: `Bearer ${ann.token}` }
    for (const [at, prefix] of [
      [`/spaces/${space}`, `/s/${space}/`],
      [base(), `/s/${space}/~/changes/${number}/`],
    ] as const) {
      for (const [title, path] of [
        ['Rich', 'group/rich'],
        ['Start', 'start'],
      ] as const) {
        const { body: page } = await api.request(ann, 'GET', `${at}/content/page/${ids.get(title)}`)
        const stored = await api.read(`${prefix}${page.path}`, own)
        expect(stored.status, path).toBe(200)
        const { status, text } = await preview({ page: page.id, markdown: page.markdown }, ann, at)
        expect(status).toBe(200)
        expect(text === stored.text, firstDifference(text, stored.text)).toBe(true)
      }
    }
    const { text } = await preview({ page: ids.get('Rich'), markdown: rich })
    const parts = [
      /Version (<[^>]+>)?7/,
      /second/,
      /A shared note/,
      /For beta readers/,
      /cover\.png/,
      /<math/,
    ]
    expect(parts.filter((part) => !part.test(text))).toEqual([])
    expect(text).not.toContain('onclick')
  })

  test('has the title and settings of the text, and is written nowhere', async () => {
    const page = ids.get('Start')
    const before = await api.request(ann, 'GET', `${base()}`)
    const markdown =
      '---\ndescription: Fresh\nlayout:\n  title:\n    visible: true\n---\n\n# Begin\n\nNew words.\n'
    const { text, headers } = await preview({ page, markdown, theme: 'dark' })
    expect(text).toContain('<title>Begin | Guide #1</title>')
    expect(text).toContain('Fresh')
    expect(text).toContain('<p>New words.</p>')
    expect(text).toContain('data-theme="dark"')
    expect((await preview({ page, markdown, theme: 'light' })).text).toContain('data-theme="light"')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    })
    const after = await api.request(ann, 'GET', `${base()}`)
    expect(after.body).toEqual(before.body)
    expect((await api.request(ann, 'GET', `${base()}/content/page/${page}`)).text).not.toContain('New words')
  })

  test('runs and loads nothing, and is framed by its own origin alone', async () => {
    const markdown =
      '# Hostile\n\n<script>alert(1)</script>\n<img src="x" onerror="alert(2)">\n<iframe src="https://evil.test"></iframe>\n\n[go](javascript:alert(3))\n'
    const { text, headers } = await preview({ page: ids.get('Start'), markdown })
    expect(text).not.toMatch(/alert\(1\)<\/script>|onerror|<iframe|href="javascript/i)
    const policy = headers['content-security-policy']
    for (const part of ['sandbox allow-same-origin;', "default-src 'none';", "frame-ancestors 'self'"])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/script-src|allow-scripts|connect-src/)

    const own = { authorization: `Bearer ${ann.token}` }
    const stored = await api.read(`/s/${space}/start`, own)
    expect(stored.headers['content-security-policy']).toContain("frame-ancestors 'self'")
    const { base: published, id: site } = await api.publish(ann, acme, {
      title: 'Docs',
      visibility: 'public',
      spaces: [space],
    })
    const { body } = await api.request(ann, 'GET', `/orgs/${acme}/sites/${site}/publishing/preview`)
    const previewed = await api.read(`${new URL(body.url).pathname}start`)
    expect([previewed.status, previewed.headers['content-security-policy']]).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'self'"),
    ])
    const open = await api.read(`${published}start`)
    expect(open.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('is for a visitor with the claims of the request', async () => {
    const page = ids.get('Start')
    const markdown =
      '# Start\n\n{% if visitor.claims.unsigned.role == "admin" %}\nFor admins.\n{% endif %}\n\n<code class="expression">visitor.claims.plan</code>\n'
    const everyone = await preview({ page, markdown })
    expect(everyone.text).toContain('For admins')
    const pro = await preview({ page, markdown, claims: { plan: 'pro' } })
    expect(pro.text).not.toContain('For admins')
    expect(pro.text).toContain('pro')
    const admin = await preview({ page, markdown, claims: { unsigned: { role: 'admin' } } })
    expect(admin.text).toContain('For admins')

    const closed = `---\nif: visitor.claims.plan == "pro"\n---\n\n${markdown}`
    expect((await preview({ page, markdown: closed, claims: { plan: 'pro' } })).status).toBe(200)
    const hidden = await preview({ page, markdown: closed, claims: {} })
    expect([hidden.status, hidden.body.error.message]).toEqual([
      404,
      'There is no such page for this visitor, or it is not visible to you.',
    ])
  })

  test('is refused with what is wrong', async () => {
    const markdown = '# Words\n'
    const page = ids.get('Start')
    const other = await api.folder(ann, acme, 'Other', { 'README.md': '# Elsewhere\n' })
    const elsewhere = await api.request(ann, 'GET', `/spaces/${other}/content/pages`)
    for (const [body, status, words] of [
      [{ markdown }, 400, '"body.page" is missing'],
      [{ page }, 400, '"body.markdown" is missing'],
      [{ page, markdown: 7 }, 400, '"body.markdown" must be string'],
      [{ page, markdown, theme: 'blue' }, 400, '"body.theme" must be one of "light", "dark", "system"'],
      [{ page, markdown, claims: [] }, 400, '"body.claims" must be object'],
      [{ page: 'nothing', markdown }, 404, 'document page'],
      [{ page: ids.get('Group'), markdown }, 404, 'document page'],
      [{ page: elsewhere.body.pages[0].id, markdown }, 404, 'document page'],
      [{ page, markdown: 'x'.repeat(10_000_001) }, 413, '10 MB'],
    ] as const) {
      const answer = await preview(body)
      expect(answer.status, words).toBe(status)
      expect(answer.body.error.message).toContain(words)
    }
    const stranger = await api.person('stranger')
    const reader = await api.person('reader')
    await api.join(acme, reader, 'read')
    expect((await preview({ page, markdown }, null)).status).toBe(401)
    expect((await preview({ page, markdown }, stranger)).status).toBe(404)
    expect((await preview({ page, markdown }, reader)).status).toBe(200)
  })

  test('of a long text is bounded like the page', async () => {
    const markdown = `# Long\n\n${'> '.repeat(60)}deep\n\n${'*a '.repeat(100_000)}`
    const { status, text } = await preview({ page: ids.get('Start'), markdown })
    expect(status).toBe(200)
    expect(text).toContain('</html>')
  })

  describe('in a site', () => {
    let site: string
    let closed: string
    const at = () => `/orgs/${acme}/sites/${site}`
    const must = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => {
      const answer = await api.request(ann, method, path, body)
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    }

    beforeAll(async () => {
      const open = await api.folder(ann, acme, 'Handbook', { 'README.md': '# Handbook\n' })
      closed = await api.folder(ann, acme, 'Secrets', { 'README.md': '# Secrets\n' })
      const made = await api.request(ann, 'POST', `/orgs/${acme}/sites`, { title: 'Brand', spaces: [open] })
      site = made.body.id
      const section = await must('POST', `${at()}/sections`, { spaceId: space, title: 'Manual' })
      await must('POST', `${at()}/sections`, { spaceId: closed, title: 'Closed part' })
      await must('PATCH', `${at()}/sections/${section.id}`, {
        condition: 'visitor.claims.plan == "pro"',
        draft: true,
      })
      const plain = await api.request(ann, 'GET', `${at()}/customization`)
      await must('PUT', `${at()}/customization`, {
        ...plain.body,
        title: 'The Brand',
        themes: { ...plain.body.themes, default: 'dark' },
        styling: { ...plain.body.styling, primaryColor: { light: '#aa0033', dark: '#ff6688' } },
        footer: { groups: [], copyright: 'Brand of Acme' },
        advancedCustomization: { enabled: true },
        header: {
          preset: 'default',
          links: [
            { title: 'Begin', to: { kind: 'page', space, page: ids.get('Start') }, links: [] },
            { title: 'Plans', to: { kind: 'space', space: closed }, links: [] },
          ],
        },
      })
    })

    test('has its look and structure, and links that stay in the preview', async () => {
      const own = { authorization: `Bearer ${ann.token}` }
      const page = ids.get('Start')
      const { body } = await api.request(ann, 'GET', `${base()}/content/page/${page}`)
      const { text } = await preview({ page, markdown: body.markdown, site, theme: 'dark' })
      const root = `/s/${space}/~/changes/${number}/~/sites/${site}/`
      for (const part of [
        'The Brand',
        'Brand of Acme',
        'Manual',
        'Closed part',
        `href="${root}manual/start"`,
      ])
        expect(text).toContain(part)
      const [sheet] = /[^"]+theme-[0-9a-f]{16}\.css/.exec(text)!
      expect((await api.read(sheet, own)).text).toContain('#aa0033')
      const stored = await api.read(`${root}manual/start`, own)
      expect(stored.text === text, firstDifference(text, stored.text)).toBe(true)
      expect(stored.headers['content-security-policy']).toContain("frame-ancestors 'self'")
      for (const [path, status] of [
        [root, 200],
        [`${root}closed-part/`, 200],
        [root.slice(0, -1), 308],
        [`/s/${space}/~/sites/${site}/manual/start`, 200],
        [`/s/${space}/~/sites/nothing/`, 404],
      ] as const)
        expect((await api.read(path, own)).status, path).toBe(status)
      expect((await api.read(root)).status).toBe(401)
    })

    test('shows what the visitor with the claims sees, and what the caller may read', async () => {
      const page = ids.get('Start')
      const body = { page, markdown: '# Start\n', site }
      expect((await preview({ ...body, claims: { plan: 'pro' } })).status).toBe(200)
      expect((await preview({ ...body, claims: { plan: 'free' } })).status).toBe(404)
      const guest = await api.person('visitor')
      await api.join(acme, guest, null)
      await must('POST', `/spaces/${space}/permissions`, { users: [guest.id], role: 'read' })
      const { status, text } = await preview(body, guest)
      expect(status).toBe(200)
      expect(text).toContain('Begin')
      expect(text).not.toMatch(/Closed part|Plans/)
      const own = { authorization: `Bearer ${guest.token}` }
      const root = `/s/${space}/~/sites/${site}/`
      expect((await api.read(`${root}closed-part/`, own)).status).toBe(404)
      expect((await api.read(`/s/${closed}/~/sites/${site}/`, own)).status).toBe(404)
    })

    test('is refused for a site without the space, and one that the caller may not view', async () => {
      const body = { page: ids.get('Start'), markdown: '# Start\n' }
      const other = await api.request(ann, 'POST', `/orgs/${acme}/sites`, {
        title: 'Other',
        spaces: [closed],
      })
      const bob = await api.person('bob')
      const foreign = await api.request(bob, 'POST', `/orgs/${await api.organization(bob)}/sites`, {
        title: 'Foreign',
      })
      for (const one of [other.body.id, foreign.body.id, 'nothing']) {
        const { status, body: answer } = await preview({ ...body, site: one })
        expect([status, answer.error.message]).toEqual([400, expect.stringContaining('"site"')])
      }
    })
  })

  describe('with specifications', () => {
    const specificationMark = 'class="response"'
    const block = (spec: string) =>
      `# API\n\n{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n{% endopenapi-operation %}\n`

    test('displays those that its caller could reference, or that the content displays', async () => {
      for (const slug of ['closed', 'used'])
        await api.request(ann, 'PUT', `/orgs/${acme}/openapi/${slug}`, {
          source: { text: specText(`Text of ${slug}`) },
        })
      await processSpecs(api)
      const guest = await api.person('guest')
      await api.join(acme, guest, null)
      await api.request(ann, 'POST', `/spaces/${space}/permissions`, { users: [guest.id], role: 'create' })
      const changes = [{ operation: 'insert_page', title: 'API', document: { markdown: block('used') } }]
      expect((await api.request(ann, 'POST', `${base()}/content`, { changes })).status).toBe(200)
      const page = ids.get('Start')
      expect((await preview({ page, markdown: block('closed') })).text).toContain(specificationMark)
      expect((await preview({ page, markdown: block('closed') }, guest)).text).not.toContain(
        specificationMark,
      )
      expect((await preview({ page, markdown: block('used') }, guest)).text).toContain(specificationMark)
    })
  })
})
