/** Site structure through the API: sections, section groups, and spaces in them. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { limits } from '../../contract/limits.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { listViolations } from '../../store/db/invariants.js'
import { removeSpaceFromSites } from './change-site-space.js'

describeEngines('the structure of a site', (engine) => {
  let siteClient: TestClient
  let ann: Person
  let acme: OrganizationId
  let at: string
  let count = 0

  beforeAll(async () => {
    siteClient = await openTestClient(await engine.open())
    ann = await siteClient.person('ann')
    acme = await siteClient.organization(ann)
    at = `/orgs/${acme}/sites`
  })

  async function must(method: string, path: string, body?: object, person = ann): Promise<any> {
    const answer = await siteClient.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  async function refused(status: number, method: string, path: string, body?: object): Promise<string> {
    const answer = await siteClient.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(status)
    return answer.body?.error?.message ?? ''
  }
  const newSpace = async (title = `Space ${(count += 1)}`): Promise<string> =>
    (await must('POST', `/orgs/${acme}/spaces`, { title })).id

  /** A site whose first sections have these titles. */
  async function sectioned(...titles: string[]) {
    const site = `${at}/${(await must('POST', at, { title: 'Docs' })).id}`
    const sections: string[] = []
    for (const title of titles) {
      const { id } = await must('POST', `${site}/sections`, { spaceId: await newSpace(), title })
      sections.push(id)
    }
    return { site, sections }
  }

  /** Titles in their order: of sections with those of their spaces, of groups with what is inside. */
  async function outline(site: string): Promise<unknown> {
    const { type, structure } = await must('GET', `${site}/structure`)
    const summarize = (item: any): unknown => {
      if (item.object === 'site-space') return item.default ? `${item.path}!` : item.path
      if (item.object === 'site-section-group') return { [item.title]: item.children.map(summarize) }
      return `${item.default ? '!' : ''}${item.path}(${item.siteSpaces.map(summarize).join(' ')})`
    }
    expect(await listViolations(siteClient.services.database.read)).toEqual([])
    return type === 'sections' ? structure.map(summarize) : { spaces: structure.map(summarize) }
  }

  test('begins with spaces at the root, which move into a section of their own with the first section', async () => {
    const [one, two] = [await newSpace('Guide'), await newSpace('Guide 2')]
    const site = `${at}/${(await must('POST', at, { title: 'Hand book', spaces: [one, two] })).id}`
    expect(await outline(site)).toEqual({ spaces: ['guide!', 'guide-2'] })

    const api = await must('POST', `${site}/sections`, { spaceId: await newSpace('API'), icon: 'code' })
    expect(api).toMatchObject({
      object: 'site-section',
      title: 'API',
      path: 'api',
      icon: 'code',
      default: false,
      draft: false,
    })
    expect(await outline(site)).toEqual(['!hand-book(guide! guide-2)', 'api(api!)'])
    expect(await refused(409, 'POST', `${site}/sections`, { spaceId: one })).toContain('spaceId')

    // Without a section the default one is used.
    const link = await must('POST', `${site}/site-spaces`, { spaceId: await newSpace('FAQ') })
    expect(link.section).not.toBe(api.id)
    const body = { spaceId: await newSpace('API'), sectionId: api.id, title: 'Version 2' }
    expect(await must('POST', `${site}/site-spaces`, body)).toMatchObject({
      section: api.id,
      path: 'version-2',
      title: 'Version 2',
    })
    expect(await outline(site)).toEqual(['!hand-book(guide! guide-2 faq)', 'api(api! version-2)'])
    const list = await must('GET', `${site}/sections`)
    expect(list.items.map(({ title }: any) => title)).toEqual(['Hand book', 'API'])

    for (const { id } of list.items) await must('DELETE', `${site}/sections/${id}`)
    expect(await outline(site)).toEqual({ spaces: [] })
    await must('POST', `${site}/site-spaces`, { spaceId: one })
    expect(await outline(site)).toEqual({ spaces: ['guide!'] })
  })

  test('has published URLs once it is published', async () => {
    const { site, sections } = await sectioned('Guide', 'API')
    const variant = await must('POST', `${site}/site-spaces`, {
      spaceId: await newSpace('Old'),
      sectionId: sections[1],
    })
    const own = await must('POST', `${site}/site-spaces`, { spaceId: await newSpace('Älter') })
    expect(own.urls.published).toBeUndefined()
    const { basename } = await must('GET', site)
    await must('POST', `${site}/publish`)
    const { structure } = await must('GET', `${site}/published`)
    const [guide, api] = structure.structure
    const base = `http://octavo.test/@acme/${basename}/`
    const urls = (section: any) => [section, ...section.siteSpaces].map((one: any) => one.urls.published)
    expect(urls(guide)).toEqual([base, base, `${base}guide/${encodeURIComponent('älter')}/`])
    expect(urls(api)).toEqual([`${base}api/`, `${base}api/`, `${base}api/old/`])
    const space = await must('GET', `/spaces/${variant.space.id}`)
    expect(space.urls.public).toBe(`${base}api/old/`)

    await must('PATCH', `${site}/sections/${sections[1]}`, { draft: true })
    const [, draft] = (await must('GET', `${site}/structure`)).structure
    expect([draft.draft, ...urls(draft)]).toEqual([true, undefined, undefined, undefined])
    expect((await must('GET', `/spaces/${variant.space.id}`)).urls.public).toBeUndefined()
  })

  test('always has one default section and space, through changes and deletions', async () => {
    const { site, sections } = await sectioned('One', 'Two')
    const more = { spaceId: await newSpace('Extra'), sectionId: sections[1] }
    const extra = await must('POST', `${site}/site-spaces`, more)
    await must('PATCH', `${site}/sections/${sections[1]}`, { defaultSiteSpace: extra.id })
    await must('PATCH', site, { defaultSiteSection: sections[1] })
    const two = (await must('GET', `${site}/sections`)).items[1]
    expect(await outline(site)).toEqual([
      expect.stringMatching(/^one\(/),
      `!two(${two.siteSpaces[0].path} extra!)`,
    ])
    const path = two.siteSpaces[0].path
    expect(await refused(400, 'PATCH', site, { defaultSiteSection: 'sitesc_none' })).toContain('defaultSite')
    const other = (await must('GET', `${site}/sections`)).items[0].siteSpaces[0].id
    const message = await refused(400, 'PATCH', site, { defaultSiteSpace: other })
    expect(message).toContain('default section')
    await refused(400, 'PATCH', `${site}/sections/${sections[1]}`, { defaultSiteSpace: other })
    await must('PATCH', site, { defaultSiteSection: sections[0], defaultSiteSpace: other })
    await must('PATCH', site, { defaultSiteSection: sections[1] })

    await must('DELETE', `${site}/site-spaces/${extra.id}`)
    expect(await outline(site)).toEqual([expect.stringMatching(/^one\(/), `!two(${path}!)`])
    await must('DELETE', `${site}/sections/${sections[1]}`)
    expect(await outline(site)).toEqual([expect.stringMatching(/^!one\(/)])
    expect((await siteClient.request(ann, 'DELETE', `${site}/sections/${sections[1]}`)).status).toBe(204)
  })

  test('retains at least one space while it is published', async () => {
    const { site, sections } = await sectioned('One', 'Two')
    await must('POST', `${site}/publish`)
    await must('DELETE', `${site}/sections/${sections[0]}`)
    expect(await refused(409, 'DELETE', `${site}/sections/${sections[1]}`)).toContain('at least one space')
    const [{ siteSpaces }] = (await must('GET', `${site}/sections`)).items
    expect(await refused(409, 'DELETE', `${site}/site-spaces/${siteSpaces[0].id}`)).toContain('at least one')
    await must('POST', `${site}/unpublish`)
    await must('DELETE', `${site}/site-spaces/${siteSpaces[0].id}`)
    expect(await outline(site)).toEqual(['!two()'])
    expect(await refused(400, 'POST', `${site}/publish`)).toContain('no space')
  })

  test('gives each a unique path, in lower case', async () => {
    const { site, sections } = await sectioned('One', 'One')
    const [, second] = (await must('GET', `${site}/sections`)).items
    expect(second.path).toBe('one-2')
    const one = `${site}/sections/${sections[0]}`
    expect(await refused(409, 'PATCH', one, { path: 'ONE-2' })).toContain('path')
    expect((await must('PATCH', one, { path: 'Führung_1.0' })).path).toBe('führung_1.0')
    for (const path of ['a/b', '~octavo', 'a b', '', '.', 'robots.txt', 'a%2F', 'x'.repeat(101)])
      await refused(400, 'PATCH', one, { path })
    const [{ id, path }] = second.siteSpaces
    const more = await must('POST', `${site}/site-spaces`, {
      spaceId: await newSpace(),
      sectionId: second.id,
    })
    expect(await refused(409, 'PATCH', `${site}/site-spaces/${more.id}`, { path })).toContain('path')
    const changed = { path: 'v1', title: 'Version one', hidden: true, draft: true, condition: 'visitor.x' }
    expect(await must('PATCH', `${site}/site-spaces/${id}`, changed)).toMatchObject(changed)
    expect(await must('PATCH', `${site}/site-spaces/${id}`, { title: null, condition: null })).toMatchObject({
      title: second.siteSpaces[0].space.title,
    })
    expect(await refused(400, 'PATCH', one, { condition: 'visitor.(' })).toContain('condition')
    const described = { title: 'Le titre', description: 'What it is about', icon: 'gear' }
    expect(await must('PATCH', one, described)).toMatchObject(described)
    const bare = await must('PATCH', one, { description: null, icon: null })
    expect([bare.description, bare.icon]).toEqual([undefined, undefined])
  })

  test('replaces the space of a link', async () => {
    const { site } = await sectioned('One', 'Two')
    const [one, two] = (await must('GET', `${site}/sections`)).items.map((item: any) => item.siteSpaces[0])
    const next = await newSpace('Next')
    const changed = await must('PATCH', `${site}/site-spaces/${one.id}`, { spaceId: next })
    expect([changed.id, changed.path, changed.space.id]).toEqual([one.id, one.path, next])
    expect(await refused(409, 'PATCH', `${site}/site-spaces/${one.id}`, { spaceId: two.space.id })).toContain(
      'spaceId',
    )
    await refused(400, 'PATCH', `${site}/site-spaces/${one.id}`, { spaceId: 'none' })
  })

  describe('moves', () => {
    test('spaces within a section, and into another', async () => {
      const { site, sections } = await sectioned('One', 'Two')
      const [one, two] = sections
      const add = async (title: string, sectionId?: string) =>
        (await must('POST', `${site}/site-spaces`, { spaceId: await newSpace(title), sectionId })).id
      const [a, b] = [await add('A', one), await add('B', one)]
      const first = (await must('GET', `${site}/sections`)).items[0].siteSpaces[0]
      await must('PATCH', `${site}/site-spaces/${first.id}`, { path: 'first' })
      const move = (id: string, position?: object) =>
        must('POST', `${site}/site-spaces/${id}/move`, { position })
      await move(b, { before: { type: 'site-space', siteSpace: a } })
      expect((await outline(site)) as string[]).toContain('!one(first! b a)')
      await move(b)
      expect((await outline(site)) as string[]).toContain('!one(first! a b)')
      await move(b)
      const target = (await must('GET', `${site}/sections`)).items[1].siteSpaces[0]
      await must('PATCH', `${site}/site-spaces/${target.id}`, { path: 'there' })
      await must('PATCH', `${site}/structure/sort`, {
        item: { type: 'site-space', id: first.id },
        position: { after: { type: 'site-space', id: target.id } },
      })
      expect(await outline(site)).toEqual(['!one(a! b)', 'two(there! first)'])
      await must('PATCH', `${site}/site-spaces/${a}`, { path: 'there' })
      const position = { after: { type: 'site-space', id: target.id } }
      expect(await refused(409, 'POST', `${site}/site-spaces/${a}/move`, { position })).toContain('path')
      expect((await must('GET', `${site}/sections`)).items[1].id).toBe(two)
      await refused(400, 'POST', `${site}/site-spaces/${a}/move`, {
        position: { after: { type: 'site-space', id: a } },
      })
      await refused(400, 'POST', `${site}/site-spaces/${a}/move`, {
        position: { before: { type: 'site-section', id: one } },
      })
    })

    test('sections and groups in one order, also into groups', async () => {
      const { site, sections } = await sectioned('AA', 'BB', 'CC', 'DD')
      const [a, b, c, d] = sections as [string, string, string, string]
      const titlesInOrder = async () =>
        JSON.stringify(await outline(site))
          .replaceAll(/\([^)]*\)|"/g, '')
          .replaceAll(/([a-d])\1/g, '$1')
      const group = await must('POST', `${site}/section-groups`, {
        title: 'More',
        icon: 'gear',
        sections: [c, a],
      })
      expect(group.sections.map(({ id }: any) => id)).toEqual([c, a])
      expect(await titlesInOrder()).toBe('[b,d,{More:[c,!a]}]')
      const section = (id: string) => ({ type: 'site-section', siteSection: id })
      const groupPointer = { type: 'site-section-group', id: group.id }
      await must('POST', `${site}/sections/${d}/move`, { position: { before: section(a) } })
      expect(await titlesInOrder()).toBe('[b,{More:[c,d,!a]}]')
      await must('POST', `${site}/section-groups/${group.id}/move`, { position: { before: section(b) } })
      expect(await titlesInOrder()).toBe('[{More:[c,d,!a]},b]')
      await must('DELETE', `${site}/section-groups/${group.id}/sections/${d}`)
      expect(await titlesInOrder()).toBe('[{More:[c,!a]},d,b]')
      expect(
        (await siteClient.request(ann, 'DELETE', `${site}/section-groups/${group.id}/sections/${d}`)).status,
      ).toBe(204)
      await must('PATCH', `${site}/structure/sort`, { item: section(d), position: { before: groupPointer } })
      expect(await titlesInOrder()).toBe('[d,{More:[c,!a]},b]')
      const inner = await must('POST', `${site}/section-groups`, { title: 'Inner', parent: group.id })
      expect(inner.sectionGroup).toBe(group.id)
      await must('POST', `${site}/section-groups/${inner.id}/sections`, { sectionId: b })
      const one = await must('GET', `${site}/section-groups?limit=1`)
      const all = await must('GET', `${site}/section-groups`)
      expect(all.items[0]).toEqual(one.items[0])
      expect(await titlesInOrder()).toBe('[d,{More:[c,!a,{Inner:[b]}]}]')
      await must('PATCH', `${site}/sections/${d}`, { siteSectionGroupId: inner.id })
      expect(await titlesInOrder()).toBe('[{More:[c,!a,{Inner:[b,d]}]}]')

      // A group cannot be inside itself, nor nested too deep.
      await refused(400, 'PATCH', `${site}/section-groups/${group.id}`, { parentSectionGroupId: inner.id })
      await refused(400, 'POST', `${site}/section-groups/${group.id}/move`, {
        position: { after: section(b) },
      })
      const deepest = await must('POST', `${site}/section-groups`, { title: 'Deepest', parent: inner.id })
      await refused(400, 'POST', `${site}/section-groups`, { title: 'Deeper', parent: deepest.id })
      const apart = await must('POST', `${site}/section-groups`, { title: 'Apart' })
      await refused(400, 'PATCH', `${site}/section-groups/${apart.id}`, { parentSectionGroupId: deepest.id })
      await refused(400, 'PATCH', `${site}/section-groups/${apart.id}`, { parentSectionGroupId: apart.id })
      await must('PATCH', `${site}/section-groups/${apart.id}`, {
        title: 'Beside',
        parentSectionGroupId: group.id,
      })
      expect(await titlesInOrder()).toBe('[{More:[c,!a,{Inner:[b,d,{Deepest:[]}]},{Beside:[]}]}]')

      // The children of a deleted group take its place.
      await must('DELETE', `${site}/section-groups/${inner.id}`)
      expect(await titlesInOrder()).toBe('[{More:[c,!a,b,d,{Deepest:[]},{Beside:[]}]}]')
      await must('DELETE', `${site}/section-groups/${group.id}`)
      expect(await titlesInOrder()).toBe('[c,!a,b,d,{Deepest:[]},{Beside:[]}]')
      const { items } = await must('GET', `${site}/section-groups`)
      expect(items.map(({ title }: any) => title)).toEqual(['Deepest', 'Beside'])
      await must('PATCH', `${site}/sections/${b}`, { siteSectionGroupId: apart.id })
      await must('PATCH', `${site}/sections/${b}`, { siteSectionGroupId: null })
      expect(await titlesInOrder()).toBe('[c,!a,d,{Deepest:[]},{Beside:[]},b]')
    })

    test('not unknown items, and not next to unknown neighbours', async () => {
      const { site, sections } = await sectioned('AA', 'BB', 'CC')
      const otherSite = await sectioned('EE')
      const [a, b, c] = sections as [string, string, string]
      const move = `${site}/sections/${a}/move`
      const to = (id: string) => ({ type: 'site-section', id })
      for (const position of [
        { before: to(a) },
        { before: to('none') },
        { after: to(otherSite.sections[0]!) },
        { before: { type: 'site-section' } },
        { before: to(c), after: to(c) },
      ])
        await refused(400, 'POST', move, { position })
      await must('POST', move, { position: { after: to(b), before: to(c) } })
      await refused(404, 'POST', `${site}/sections/${otherSite.sections[0]}/move`, {})
      for (const type of ['site-section', 'site-space', 'site-section-group'])
        await refused(400, 'PATCH', `${site}/structure/sort`, { item: { type, id: 'none' }, position: {} })
      await refused(400, 'POST', `${site}/section-groups`, { title: 'G', sections: [otherSite.sections[0]] })
      const group = await must('POST', `${otherSite.site}/section-groups`, { title: 'G' })
      await refused(400, 'PATCH', `${site}/sections/${a}`, { siteSectionGroupId: group.id })
    })
  })

  describe('lists', () => {
    async function walk(path: string, limit: number): Promise<string[]> {
      const ids: string[] = []
      let next: string | undefined
      do {
        const page = next === undefined ? '' : `&page=${encodeURIComponent(next)}`
        const list = await must('GET', `${path}?limit=${limit}${page}`)
        ids.push(...list.items.map(({ id }: { id: string }) => id))
        next = list.next?.page
      } while (next !== undefined)
      return ids
    }

    /** Ids in the order of the structure, depth first. */
    async function inStructure(site: string) {
      const flat = (nodes: any[]): any[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])])
      const nodes = flat((await must('GET', `${site}/structure`)).structure)
      const spaces = nodes.flatMap((node) => (node.object === 'site-space' ? node : (node.siteSpaces ?? [])))
      const idsOf = (some: any[]) => some.map(({ id }) => id)
      return {
        sections: idsOf(nodes.filter(({ object }) => object === 'site-section')),
        'section-groups': idsOf(nodes.filter(({ object }) => object === 'site-section-group')),
        'site-spaces': idsOf(spaces),
      }
    }

    async function expectSameOrder(site: string) {
      const structure = await inStructure(site)
      for (const [list, ids] of Object.entries(structure))
        for (const limit of [1, 2, 100])
          expect([list, limit, await walk(`${site}/${list}`, limit)]).toEqual([list, limit, ids])
      return structure
    }

    test('are in the order of the structure, also after moves', async () => {
      const { site, sections } = await sectioned('AA', 'BB', 'CC', 'DD')
      const [a, b, c, d] = sections as [string, string, string, string]
      const variants: string[] = []
      for (const sectionId of [a, c, d]) {
        const body = { spaceId: await newSpace(), sectionId }
        variants.push((await must('POST', `${site}/site-spaces`, body)).id)
      }
      await expectSameOrder(site)
      const outer = await must('POST', `${site}/section-groups`, { title: 'Outer', sections: [d, b] })
      const inner = await must('POST', `${site}/section-groups`, { title: 'Inner', parent: outer.id })
      await must('POST', `${site}/section-groups/${inner.id}/sections`, { sectionId: a })
      await must('POST', `${site}/section-groups`, { title: 'Last' })
      const section = (id: string) => ({ type: 'site-section', id })
      await expectSameOrder(site)
      await must('POST', `${site}/section-groups/${outer.id}/move`, { position: { before: section(c) } })
      await must('POST', `${site}/section-groups/${inner.id}/move`, { position: { before: section(d) } })
      const { 'site-spaces': links } = await expectSameOrder(site)
      // The last variant becomes the first space of all.
      await must('PATCH', `${site}/structure/sort`, {
        item: { type: 'site-space', id: variants[1] },
        position: { before: { type: 'site-space', id: links[0] } },
      })
      const moved = await expectSameOrder(site)
      expect(moved['site-spaces'][0]).toBe(variants[1])
      expect(moved.sections).toEqual([a, d, b, c])
      expect(moved['section-groups'].slice(0, 2)).toEqual([outer.id, inner.id])
    })

    test('go on behind an item that was removed, and refuse a cursor of another list', async () => {
      const { site } = await sectioned('AA', 'BB', 'CC')
      const [first, second] = (await inStructure(site))['site-spaces']
      const { next } = await must('GET', `${site}/site-spaces?limit=1`)
      await must('DELETE', `${site}/site-spaces/${first}`)
      const rest = await must('GET', `${site}/site-spaces?limit=1&page=${next.page}`)
      expect(rest.items.map(({ id }: { id: string }) => id)).toEqual([second])
      expect(await refused(400, 'GET', `${site}/sections?page=${next.page}`)).toContain('"page"')
    })

    test('are in order where the site has no sections', async () => {
      const spaces = [await newSpace(), await newSpace(), await newSpace()]
      const site = `${at}/${(await must('POST', at, { title: 'Docs', spaces })).id}`
      const { items } = await must('GET', `${site}/site-spaces`)
      const position = { before: { type: 'site-space', id: items[0].id } }
      await must('POST', `${site}/site-spaces/${items[2].id}/move`, { position })
      const { 'site-spaces': links } = await expectSameOrder(site)
      expect(links).toEqual([items[2].id, items[0].id, items[1].id])
    })
  })

  test('limits the number of sections and groups', async () => {
    const { site } = await sectioned('One')
    const { id } = await must('GET', site)
    await siteClient.services.database.write((tx) =>
      tx
        .insertInto('site_section_groups')
        .values(
          Array.from({ length: limits.siteSections - 1 }, (_, index) => ({
            id: `sitescg_${id}${index}` as never,
            organization_id: acme,
            site_id: id,
            parent_id: null,
            title: 'Group',
            icon: null,
            position: 'b0',
          })),
        )
        .execute(),
    )
    expect(await refused(409, 'POST', `${site}/sections`, { spaceId: await newSpace() })).toContain('200')
    expect(await refused(409, 'POST', `${site}/section-groups`, { title: 'One more' })).toContain('200')
  })

  test('hides what the caller may not read', async () => {
    const { site, sections } = await sectioned('Open', 'Closed')
    const reader = await siteClient.person(`reader${(count += 1)}`)
    await siteClient.join(acme, reader, 'read')
    const [, closed] = (await must('GET', `${site}/sections`)).items
    await must('PATCH', `/spaces/${closed.siteSpaces[0].space.id}`, { defaultLevel: null })
    const titles = async (path: string) =>
      (await must('GET', `${site}${path}`, undefined, reader)).items.map(({ title }: any) => title)
    expect(await titles('/sections')).toEqual(['Open'])
    expect(await titles('/site-spaces')).toHaveLength(1)
    const { structure } = await must('GET', `${site}/structure`, undefined, reader)
    expect(structure.map(({ title }: any) => title)).toEqual(['Open'])
    const patch = (id: string) =>
      siteClient.request(reader, 'PATCH', `${site}/sections/${id}`, { title: 'Mine' })
    expect([(await patch(sections[0]!)).status, (await patch(sections[1]!)).status]).toEqual([403, 404])
    const hiddenSpace = await siteClient.request(
      reader,
      'PATCH',
      `${site}/site-spaces/${closed.siteSpaces[0].id}`,
      {},
    )
    expect(hiddenSpace.status).toBe(404)
  })

  test('does not change links to a space in the trash', async () => {
    const { site, sections } = await sectioned('One')
    const space = await newSpace('Gone')
    const { id } = await must('POST', `${site}/site-spaces`, { spaceId: space, sectionId: sections[0] })
    await must('DELETE', `/spaces/${space}`)
    await refused(404, 'POST', `${site}/site-spaces/${id}/move`, {})
    await must('POST', `/spaces/${space}/restore`)
    expect((await must('POST', `${site}/site-spaces/${id}/move`, {})).id).toBe(id)
  })

  test('remains consistent when a space is deleted for good', async () => {
    const { site, sections } = await sectioned('One')
    await must('POST', `${site}/site-spaces`, { spaceId: await newSpace('Left'), sectionId: sections[0] })
    const [{ siteSpaces }] = (await must('GET', `${site}/sections`)).items
    await siteClient.services.database.write((tx) =>
      removeSpaceFromSites(tx, acme, siteSpaces[0].space.id as SpaceId),
    )
    expect(await outline(site)).toEqual(['!one(left!)'])
  })
})
