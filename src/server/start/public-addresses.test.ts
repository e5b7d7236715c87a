import { expect, it } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { storePublicAddresses, loadPublicAddresses } from './public-addresses.js'

const unset = { host: '127.0.0.1', port: 4000 }

describeEngines('the addresses of the installation', ({ open, openAgain }) => {
  it('are those of the server that started last, unless the settings of a command name others', async () => {
    const server = await open()
    const command = await openAgain()
    expect(await loadPublicAddresses(unset, command)).toEqual({ baseUrl: 'http://127.0.0.1:4000' })

    await storePublicAddresses({ ...unset, host: '::1', port: 41_234, sitesDomain: 'sites.test' }, server)
    const stored = { baseUrl: 'http://[::1]:41234', sitesDomain: 'sites.test' }
    expect(await loadPublicAddresses(unset, command)).toEqual(stored)
    const overridden = { ...unset, url: 'https://docs.example.com' }
    expect(await loadPublicAddresses(overridden, command)).toEqual({ ...stored, baseUrl: overridden.url })

    await storePublicAddresses({ ...unset, host: '0.0.0.0' }, server)
    expect(await loadPublicAddresses(unset, command)).toEqual({ baseUrl: 'http://localhost:4000' })
    expect(await loadPublicAddresses({ ...unset, sitesDomain: 'other.test' }, command)).toMatchObject({
      sitesDomain: 'other.test',
    })
  })
})
