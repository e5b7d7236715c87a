import { expect, it } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { noteReachedAt, recallReachedAt } from './public-addresses.js'

const unset = { host: '127.0.0.1', port: 4000 }

describeEngines('the addresses of the installation', ({ open, openAgain }) => {
  it('are those of the server that started last, unless a command is told others', async () => {
    const server = await open()
    const command = await openAgain()
    expect(await recallReachedAt(unset, command)).toEqual({ baseUrl: 'http://127.0.0.1:4000' })

    await noteReachedAt({ ...unset, host: '::1', port: 41_234, sitesDomain: 'sites.test' }, server)
    const noted = { baseUrl: 'http://[::1]:41234', sitesDomain: 'sites.test' }
    expect(await recallReachedAt(unset, command)).toEqual(noted)
    const told = { ...unset, url: 'https://docs.example.com' }
    expect(await recallReachedAt(told, command)).toEqual({ ...noted, baseUrl: told.url })

    await noteReachedAt({ ...unset, host: '0.0.0.0' }, server)
    expect(await recallReachedAt(unset, command)).toEqual({ baseUrl: 'http://localhost:4000' })
    expect(await recallReachedAt({ ...unset, sitesDomain: 'other.test' }, command)).toMatchObject({
      sitesDomain: 'other.test',
    })
  })
})
