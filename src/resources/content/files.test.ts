/** The list of files: in the order in which they were made, whatever they are called. */
import { expect, test } from 'vitest'
import { openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('files', ({ open }) => {
  test('are listed in the order in which they were made, whole and in pages', async () => {
    const api = await openTestClient(await open())
    const ann = await api.person('ann')
    const organization = await api.organization(ann)
    const { id } = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, { editMode: 'live' })).body
    const names = ['west', 'east', 'north', 'south', 'up', 'down', 'left', 'right', 'near', 'far']
    const insert = async (some: string[]) => {
      const files = some.map((name) => ({ name: `${name}.txt`, base64: 'b25l' }))
      const changes = [{ operation: 'insert_files', files }]
      const answer = await api.request(ann, 'POST', `/spaces/${id}/content`, { changes })
      expect(answer.status, answer.text).toBe(200)
    }
    await insert(names.slice(0, 5))
    for (const name of names.slice(5)) await insert([name])

    const list = `/spaces/${id}/content/files`
    const listed: string[] = []
    for (let page: string | undefined = ''; page !== undefined;) {
      const { body } = await api.request(ann, 'GET', `${list}?limit=3${page}`)
      listed.push(...body.items.map(({ name }: { name: string }) => name.replace('.txt', '')))
      page = body.next && `&page=${body.next.page}`
    }
    expect(listed).toEqual(names)
  })
})
