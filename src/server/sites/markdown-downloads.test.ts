/** Markdown files that pages offer for download: for the site's readers, at one URL only. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { type Person, mistyped } from '../../../tests/test-client.js'

const notes = `# Notes

[home](../README.md)

{% if visitor.claims.plan %}
Sesame.
{% endif %}
`
const file = (src: string) => `{% file src="${src}" %}\n{% endfile %}\n`

describeSqlite('Markdown downloads', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let site: { id: string; base: string }
  let page: string
  let address: string

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
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
    page = (await client.read(site.base)).text
    address = /href="([^"]+)" download="my notes.md"/.exec(page)![1]!
  })

  test('are the source text; configuration files of the space are not offered', async () => {
    const { status, text, headers } = await client.read(address)
    expect([status, text, headers['content-type']]).toEqual([200, notes, 'text/markdown; charset=utf-8'])
    expect(headers['x-robots-tag']).toBe('noindex')
    expect(page).toMatch(/my notes\.md<\/strong>\s*<small>MD · 8\d bytes</)
    expect(page.match(/ download="/g)).toHaveLength(2)
    expect(page.match(/This file is missing/g)).toHaveLength(3)
    expect(page).toContain('title="This link leads nowhere">link<')
  })

  test('have a single URL', async () => {
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
      // URLs that end in .md get the error in Markdown.
      expect(status === 404 || text.startsWith('# Page not found\n'), other).toBe(true)
    }
  })

  test('contain nothing that the reader may not see, and are closed with their site', async () => {
    const closed = /href="([^"]+)" download="closed.md"/.exec(page)![1]!
    expect((await client.read(closed)).text).toContain('# Closed')
    const at = `/orgs/${acme}/sites/${site.id}`
    await client.request(ann, 'PATCH', at, { adaptiveContent: { enabled: true } })
    expect((await client.read(address)).text).toContain('# Notes')
    expect((await client.read(address)).text).not.toContain('Sesame')
    expect((await client.read(closed)).status).toBe(404)
    await client.request(ann, 'PATCH', at, { visibility: 'share-link' })
    expect((await client.read(address)).status).toBe(404)
    const own = { authorization: `Bearer ${ann.token}` }
    expect((await client.read(address, own)).status).toBe(200)
  })
})
