import { beforeAll, expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { Person } from '../../../tests/test-client.js'
import type { OrganizationId } from '../../core/ids.js'

describeSqlite('a site that is published with conditions', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
  })

  /** Passing `schema` makes the site adaptive; null without a schema. */
  const publish = async (spaces: readonly string[], schema?: object | null) => {
    const at = `/orgs/${acme}/sites`
    const { id } = (await api.request(ann, 'POST', at, { title: 'Docs', spaces })).body
    if (schema) await api.request(ann, 'PUT', `${at}/${id}/adaptive-schema`, { jsonSchema: schema })
    const adaptive = { adaptiveContent: { enabled: true } }
    const made =
      schema !== undefined && (await api.request(ann, 'PATCH', `${at}/${id}`, adaptive)).body.warnings
    const { status, body } = await api.request(ann, 'POST', `${at}/${id}/publish`)
    expect(status).toBe(200)
    const { items } = (await api.request(ann, 'GET', `/orgs/${acme}/audit?thing=${id}&action=publishSite`))
      .body
    const details = items.map(({ detail }: { detail?: string }) => detail)
    return { warnings: body.warnings, details, ...(made && { made }) }
  }
  const files = {
    'README.md': '# Home\n\nA word, `{% if x %}` in a line of code.\n\n```\n{% if x %}\n{% endif %}\n```\n',
    'page.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Page\n',
    'part.md': '# Part\n\n{% if visitor.claims.plan %}\nWords.\n{% endif %}\n',
    'unlisted/part.md': '# Unlisted\n\n{% if visitor.claims.plan %}\nWords.\n{% endif %}\n',
    'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Page](page.md)\n* [Part](part.md)\n',
  }

  test('is published, with the pages in the response and the audit log', async () => {
    const conditioned = await api.folder(ann, acme, 'Conditioned', files)
    const plain = await api.folder(ann, acme, 'Plain', { 'README.md': files['README.md'] })
    const { warnings, details } = await publish([plain, conditioned])
    const message = `The site is not adaptive, so it shows to everybody what stands under conditions, on 2 pages of the space ${conditioned}.`
    expect(warnings).toEqual([{ message, space: conditioned, pages: ['page', 'part'] }])
    expect(details).toEqual([message])
  })

  test('has no warnings without conditions, or on an adaptive site', async () => {
    const conditioned = await api.folder(ann, acme, 'Conditioned too', files)
    const plain = await api.folder(ann, acme, 'Plain too', { 'README.md': files['README.md'] })
    const nothing = { warnings: undefined, details: [undefined] }
    expect(await publish([plain])).toEqual(nothing)
    const visitorSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {},
      additionalProperties: false,
    }
    expect(await publish([conditioned], visitorSchema)).toEqual(nothing)
  })

  test('warns of an adaptive site without a visitor schema', async () => {
    const plain = await api.folder(ann, acme, 'Without a schema', { 'README.md': files['README.md'] })
    const message =
      'The site is adaptive and has no visitor schema: it knows what visitor tokens say, and nothing that visitors say of themselves.'
    const { made, ...rest } = await publish([plain], null)
    expect(rest).toEqual({ warnings: [{ message, pages: [] }], details: [message] })
    expect(made).toEqual([{ message, pages: [] }])
  })

  test('stops scanning after twenty pages and the rest of their batch', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`page-${index}.md`, `---\nif: true\n---\n\n# ${index}\n`]),
    )
    const { warnings } = await publish([await api.folder(ann, acme, 'Many', many)])
    expect(warnings[0].message).toContain('on at least 50 pages of')
    expect(warnings[0].pages).toHaveLength(20)
  })
})
