/** Forms of documents: evaluated conditions and expressions, dereferenced reusable contents. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import type { Person } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'

const page = `---
vars:
  own: page
---

# Page

From <code class="expression">space.vars.product</code> <code class="expression">page.vars.own</code> <code class="expression">visitor.claims.name</code>.

{% if space.vars.beta === true %}
Always.
{% endif %}

{% if space.vars.beta === false %}
Never.
{% endif %}

{% if visitor.claims.plan === "pro" %}
For the pro.
{% endif %}

{% include ".gitbook/includes/note.md" %}

{% include ".gitbook/includes/ring.md" %}
`

const files = {
  'README.md': '# Home\n',
  'page.md': page,
  '.gitbook/vars.yaml': 'product: Octavo\nbeta: true\n',
  '.gitbook/includes/note.md':
    'A note of <code class="expression">page.vars.own</code>.\n\n{% include "inner.md" %}\n\n{% if visitor.claims.plan === "pro" %}\nA note for the pro.\n{% endif %}\n',
  '.gitbook/includes/inner.md': 'Inside.\n',
  '.gitbook/includes/ring.md': 'Round.\n\n{% include "ring.md" %}\n',
  'closed/README.md': '---\nif: visitor.claims.plan === "pro"\n---\n\n# Closed\n',
  'closed/below.md': '# Below\n\nWhat stands below a closed page.\n',
  'many.md': Array.from({ length: 300 }, () => '{% include ".gitbook/includes/inner.md" %}\n').join('\n'),
}

interface Node {
  readonly object: string
  readonly type?: string
  readonly key?: string
  readonly nodes?: readonly Node[]
  readonly leaves?: readonly { readonly text: string }[]
}

const all = (node: Node): Node[] => [node, ...(node.nodes ?? []).flatMap(all)]
const textOf = (node: Node) =>
  all(node)
    .flatMap(({ leaves = [] }) => leaves.map(({ text }) => text))
    .join('|')
const typesIn = (node: Node) => new Set(all(node).map(({ type }) => type))

describeEngines('document forms', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  const ids: Record<string, string> = {}

  async function must(path: string, person: Person = ann): Promise<any> {
    const answer = await api.request(person, 'GET', path)
    expect(answer.status, `${path}: ${answer.text}`).toBe(200)
    return answer.body
  }
  const documentOf = (slug: string, query: string, person?: Person): Promise<Node> =>
    must(`/spaces/${space}/content/page/${ids[slug]}/document${query}`, person)

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    space = await api.folder(ann, acme, 'Guide', files)
    const list = (pages: readonly { id: string; slug: string; pages?: any }[]): void => {
      for (const { id, slug, pages: below = [] } of pages) {
        ids[slug] = id
        list(below)
      }
    }
    list((await must(`/spaces/${space}/content/pages`)).pages)
  })

  test('are returned as written by default', async () => {
    const plain = await documentOf('page', '')
    for (const query of ['?evaluated=false', '?dereferenced=false', '?evaluated=false&dereferenced=false'])
      expect(await documentOf('page', query)).toEqual(plain)
    expect([...typesIn(plain)]).toEqual(expect.arrayContaining(['if', 'expression', 'reusable-content']))
    expect(textOf(plain)).toMatch(/Always.*Never.*For the pro/)
    expect(
      (await api.request(ann, 'GET', `/spaces/${space}/content/page/${ids['page']}?evaluated=yes`)).status,
    ).toBe(400)
  })

  test('have conditions and expressions evaluated for the reader, or only the deterministic ones', async () => {
    const whole = await documentOf('page', '?evaluated=true')
    expect(textOf(whole)).toContain('From |Octavo| |page| ||.')
    expect(textOf(whole)).toContain('Always.')
    expect(textOf(whole)).not.toMatch(/Never|For the pro/)
    expect(typesIn(whole)).not.toContain('if')
    expect(typesIn(whole)).not.toContain('expression')
    const sure = await documentOf('page', '?evaluated=deterministic-only')
    expect(textOf(sure)).toContain('From |Octavo| |page| |.')
    expect(textOf(sure)).not.toContain('Never')
    const left = all(sure).filter(({ type }) => type === 'if' || type === 'expression')
    expect(left.map(({ type }) => type)).toEqual(['expression', 'if'])
    expect(textOf(left[1]!)).toBe('For the pro.')
  })

  test('include the blocks of reusable contents, none of them in itself, each node in its position', async () => {
    for (const value of ['true', 'reusable-contents']) {
      const found = await documentOf('page', `?dereferenced=${value}`)
      expect(textOf(found)).toMatch(/A note of .*Inside.*Round/)
      const left = all(found).filter(({ type }) => type === 'reusable-content')
      // The one that would include itself.
      expect(left).toHaveLength(1)
      const keys = all(found).flatMap(({ key }) => key ?? [])
      expect(new Set(keys).size).toBe(keys.length)
    }
    const both = await documentOf('page', '?dereferenced=true&evaluated=true')
    expect(textOf(both)).toContain('A note of |page|.')
    expect(textOf(both)).not.toContain('A note for the pro')
  })

  test('are bounded: what is more than paid for stays where it is', async () => {
    const found = await documentOf('many', '?dereferenced=true')
    const left = all(found).filter(({ type }) => type === 'reusable-content')
    expect(left).toHaveLength(100)
    expect(all(found).filter(({ leaves }) => leaves?.[0]?.text === 'Inside.')).toHaveLength(200)
  })

  test('are the same in pages, by path, in revisions and by their ids', async () => {
    const query = '?format=document&evaluated=true&dereferenced=true'
    const wanted = await documentOf('page', query.replace('format=document&', ''))
    const { revision } = await must(`/spaces/${space}`)
    for (const path of [
      `content/page/${ids['page']}`,
      'content/path/page',
      `revisions/${revision}/page/${ids['page']}`,
      `revisions/${revision}/path/page`,
    ])
      expect((await must(`/spaces/${space}/${path}${query}`)).document, path).toEqual(wanted)
    const { documentId } = await must(`/spaces/${space}/content/page/${ids['page']}`)
    expect(await must(`/spaces/${space}/documents/${documentId}?evaluated=true&dereferenced=true`)).toEqual(
      wanted,
    )
    const { reusableContents } = await must(`/spaces/${space}/content`)
    const { id } = reusableContents.find(({ title }: { title: string }) => title === 'note')
    const held = await must(`/spaces/${space}/content/reusable-contents/${id}/document?evaluated=true`)
    expect(textOf(held)).toContain('A note of ||.')
  })

  test('of a site are evaluated for its reader', async () => {
    const site = await api.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const at = `/orgs/${acme}/sites/${site.id}`
    const readerOf = async (visitor: object): Promise<Person> => {
      const url = `http://octavo.test${site.base}page`
      const answer = await api.request(null, 'POST', '/urls/published', { url, visitor })
      expect(answer.status, answer.text).toBe(200)
      return { id: '' as Person['id'], token: answer.body.apiToken }
    }
    const query = '?evaluated=true&dereferenced=true'
    // On a site that is not adaptive everything is visible to everyone.
    expect(textOf(await documentOf('page', query, await readerOf({})))).toMatch(
      /For the pro.*A note for the pro/,
    )
    const text = { type: 'string', description: 'Words.' }
    await api.request(ann, 'PUT', `${at}/adaptive-schema`, {
      jsonSchema: { type: 'object', properties: { plan: text, name: text }, additionalProperties: false },
    })
    await api.request(ann, 'PATCH', at, { adaptiveContent: { enabled: true } })
    expect(textOf(await documentOf('page', query, await readerOf({})))).not.toMatch(/pro/)
    const { privateKey } = await must(`${at}/publishing/auth`)
    const pro = await readerOf({ jwtToken: makeVisitorToken(privateKey, { plan: 'pro', name: 'Kim' }) })
    const rendered = textOf(await documentOf('page', query, pro))
    expect(rendered).toContain('From |Octavo| |page| |Kim|.')
    expect(rendered).toMatch(/For the pro.*A note for the pro/)
    expect(textOf(await documentOf('page', '?dereferenced=true', await readerOf({})))).not.toMatch(/pro/)

    const { documentId } = await must(`/spaces/${space}/content/page/${ids['below']}`)
    for (const path of [
      `content/page/${ids['below']}`,
      `content/page/${ids['below']}/document`,
      'content/path/closed%2Fbelow',
      `documents/${documentId}`,
    ]) {
      expect((await api.request(await readerOf({}), 'GET', `/spaces/${space}/${path}`)).status, path).toBe(
        404,
      )
      expect((await api.request(pro, 'GET', `/spaces/${space}/${path}`)).status, path).toBe(200)
    }
  })
})
