/** A whole revision: its pages are cached, its metadata is read for each reader. */
import { expect, test } from 'vitest'
import { openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('a revision', ({ open }) => {
  test('contains the pages of its list, current names of users, and file URLs signed for the reader', async () => {
    const api = await openTestClient(await open())
    const ann = await api.person('ann')
    const bob = await api.person('bob')
    const organization = await api.organization(ann)
    await api.join(organization, bob, 'read')
    const { id } = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, { editMode: 'live' })).body
    const changes = [
      { operation: 'insert_files', files: [{ name: 'one.txt', base64: 'b25l' }] },
      { operation: 'insert_page', title: 'Größe', document: { markdown: '# Größe\n' } },
    ]
    const content = `/spaces/${id}/content`
    expect((await api.request(ann, 'POST', content, { changes })).status).toBe(200)

    const first = (await api.request(ann, 'GET', content)).body
    expect(first.pages.map(({ title }: { title: string }) => title)).toContain('Größe')
    expect({ pages: first.pages }).toEqual((await api.request(ann, 'GET', `${content}/pages`)).body)
    expect((await api.request(ann, 'GET', content)).body).toEqual(first)

    const others = (await api.request(bob, 'GET', content)).body
    expect(others.files[0].downloadURL).toContain('token=')
    expect(others.files[0].downloadURL).not.toBe(first.files[0].downloadURL)
    expect({ ...others, files: [] }).toEqual({ ...first, files: [] })

    expect((await api.request(ann, 'PATCH', `/users/${ann.id}`, { displayName: 'Ann Other' })).status).toBe(
      200,
    )
    expect((await api.request(bob, 'GET', content)).body.createdBy.displayName).toBe('Ann Other')
  })
})
