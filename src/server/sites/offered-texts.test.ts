/** Markdown that is no page, offered by a page as a file: for whoever may read the site, and at no other address. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteDoor, openSiteDoor } from '../../../tests/sites.js'
import { type Person, mistyped } from '../../../tests/door.js'

const notes = `# Notes

[home](../README.md)

{% if visitor.claims.plan %}
Sesame.
{% endif %}
`
const file = (src: string) => `{% file src="${src}" %}\n{% endfile %}\n`

describeSqlite('Markdown that a page offers', (engine) => {
  let client: SiteDoor
  let ann: Person
  let acme: OrganizationId
  let site: { id: string; base: string }
  let shown: string
  let address: string

  beforeAll(async () => {
    client = await openSiteDoor(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    const space = await client.folder(ann, acme, 'Docs', {
      'README.md': `# Home\n\n${['files/my notes.md', 'files/closed.md', 'SUMMARY.md', '.gitbook/vars.yaml', 'gone.md'].map(file).join('\n')}\n[link](<files/my notes.md>)\n`,
      'files/my notes.md': notes,
      'files/closed.md': '---\nif: visitor.claims.plan\n---\n\n# Closed\n',
      'files/draft.md': '# Draft\n',
      '.gitbook/vars.yaml': 'version: 1\n',
      'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n',
    })
    site = await client.publish(ann, acme, { title: 'Docs', spaces: [space] })
    shown = (await client.read(site.base)).text
    address = /href="([^"]+)" download="my notes.md"/.exec(shown)![1]!
  })

  test('is downloaded as it was written; what sets the space up is not', async () => {
    const { status, text, headers } = await client.read(address)
    expect([status, text, headers['content-type']]).toEqual([200, notes, 'text/markdown; charset=utf-8'])
    expect(headers['x-robots-tag']).toBe('noindex')
    expect(shown).toMatch(/my notes\.md<\/strong>\s*<small>MD · 8\d bytes</)
    expect(shown.match(/ download="/g)).toHaveLength(2)
    expect(shown.match(/This file is missing/g)).toHaveLength(3)
    expect(shown).toContain('title="This link leads nowhere">link<')
  })

  test('has the one address', async () => {
    const token = address.split('/').at(-3)!
    expect(address).toContain(`${token}/files/my%20notes.md`)
    for (const other of [
      address.replace(token, ''),
      address.replace(token, mistyped(token)),
      address.replace('my%20notes', 'draft'),
      address.replace('files/my%20notes.md', '.gitbook/vars.yaml'),
      `${site.base}files/my%20notes.md`,
    ]) {
      const { status, text } = await client.read(other)
      // An address of Markdown is told so in Markdown.
      expect(status === 404 || text.startsWith('# Page not found\n'), other).toBe(true)
    }
  })

  test('holds nothing that is closed to the reader, and is closed with its site', async () => {
    const closed = /href="([^"]+)" download="closed.md"/.exec(shown)![1]!
    expect((await client.read(closed)).text).toContain('# Closed')
    const at = `/orgs/${acme}/sites/${site.id}`
    await client.ask(ann, 'PATCH', at, { adaptiveContent: { enabled: true } })
    expect((await client.read(address)).text).toContain('# Notes')
    expect((await client.read(address)).text).not.toContain('Sesame')
    expect((await client.read(closed)).status).toBe(404)
    await client.ask(ann, 'PATCH', at, { visibility: 'share-link' })
    expect((await client.read(address)).status).toBe(404)
    const own = { authorization: `Bearer ${ann.token}` }
    expect((await client.read(address, own)).status).toBe(200)
  })
})
