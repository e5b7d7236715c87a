import { beforeAll, expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { type SiteDoor, openSiteDoor } from '../../../tests/sites.js'
import type { Person } from '../../../tests/door.js'
import type { OrganizationId } from '../../core/ids.js'

describeEngines('a site that is published with conditions', (engine) => {
  let door: SiteDoor
  let ann: Person
  let acme: OrganizationId

  beforeAll(async () => {
    door = await openSiteDoor(await engine.open())
    ann = await door.person('ann')
    acme = await door.organization(ann)
  })

  const publish = async (spaces: readonly string[], isAdaptive = false) => {
    const at = `/orgs/${acme}/sites`
    const { id } = (await door.ask(ann, 'POST', at, { title: 'Docs', spaces })).body
    if (isAdaptive) await door.ask(ann, 'PATCH', `${at}/${id}`, { adaptiveContent: { enabled: true } })
    const { status, body } = await door.ask(ann, 'POST', `${at}/${id}/publish`)
    expect(status).toBe(200)
    const { items } = (await door.ask(ann, 'GET', `/orgs/${acme}/audit?thing=${id}&action=publishSite`)).body
    return { warnings: body.warnings, details: items.map(({ detail }: { detail?: string }) => detail) }
  }
  const files = {
    'README.md': '# Home\n\nA word, `{% if x %}` in a line of code.\n\n```\n{% if x %}\n{% endif %}\n```\n',
    'page.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Page\n',
    'part.md': '# Part\n\n{% if visitor.claims.plan %}\nWords.\n{% endif %}\n',
    'unlisted/part.md': '# Unlisted\n\n{% if visitor.claims.plan %}\nWords.\n{% endif %}\n',
    'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Page](page.md)\n* [Part](part.md)\n',
  }

  test('is published, and the answer and the audit log tell of the pages', async () => {
    const conditioned = await door.folder(ann, acme, 'Conditioned', files)
    const plain = await door.folder(ann, acme, 'Plain', { 'README.md': files['README.md'] })
    const { warnings, details } = await publish([plain, conditioned])
    const message = `The site is not adaptive, so it shows to everybody what stands under conditions, on 2 pages of the space ${conditioned}.`
    expect(warnings).toEqual([{ message, space: conditioned, pages: ['page', 'part'] }])
    expect(details).toEqual([message])
  })

  test('says nothing where there are none, or where the site works them out', async () => {
    const conditioned = await door.folder(ann, acme, 'Conditioned too', files)
    const plain = await door.folder(ann, acme, 'Plain too', { 'README.md': files['README.md'] })
    const nothing = { warnings: undefined, details: [undefined] }
    expect(await publish([plain])).toEqual(nothing)
    expect(await publish([conditioned], true)).toEqual(nothing)
  })

  test('looks no further than for twenty pages and the rest of their batch', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`page-${index}.md`, `---\nif: true\n---\n\n# ${index}\n`]),
    )
    const { warnings } = await publish([await door.folder(ann, acme, 'Many', many)])
    expect(warnings[0].message).toContain('on at least 50 pages of')
    expect(warnings[0].pages).toHaveLength(20)
  })
})
