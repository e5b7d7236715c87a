import { beforeAll, expect, it } from 'vitest'
import { openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { makeKeys } from '../../../tests/saml-identity-provider.js'

let certificate: string

beforeAll(async () => {
  ;({ certificate } = await makeKeys('idp.test'))
})

describeEngines('SAML providers', ({ open }) => {
  it('are pending until fully configured, then active', async () => {
    const api = await openTestClient(await open())
    const admin = await api.person('admin')
    const organization = await api.organization(admin)
    const made = await api.request(admin, 'POST', `/orgs/${organization}/saml`, { label: 'Okta' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      object: 'saml-provider',
      label: 'Okta',
      status: 'pending',
      defaultRole: null,
    })
    const one = `/orgs/${organization}/saml/${made.body.id}`
    expect(made.headers['location']).toBe(`http://octavo.test/v1${one}`)
    const base = `http://octavo.test/~octavo/saml/${made.body.id}`
    expect(made.body.service).toEqual({
      acsURL: `${base}/acs`,
      startURL: `${base}/start`,
      entityID: `${base}/metadata`,
    })
    expect((await api.request(null, 'GET', `/orgs/${organization}/sso`)).body).toEqual({ items: [] })

    const settings = { entityID: 'idp', ssoURL: 'https://idp.test/sso', certificate }
    const changed = await api.request(admin, 'PATCH', one, settings)
    expect(changed.body).toMatchObject({ ...settings, status: 'active', label: 'Okta' })
    expect((await api.request(admin, 'GET', one)).body).toEqual(changed.body)
    expect((await api.request(null, 'GET', `/orgs/${organization}/sso`)).body.items).toEqual([
      { id: made.body.id, label: 'Okta', startURL: `${base}/start` },
    ])
    expect((await api.request(admin, 'PATCH', one, { entityID: '' })).body.status).toBe('pending')
    for (const _ of ['there', 'gone']) expect((await api.request(admin, 'DELETE', one)).status).toBe(204)
    expect((await api.request(admin, 'GET', one)).status).toBe(404)
    const { items } = (await api.request(admin, 'GET', `/orgs/${organization}/audit`)).body
    expect(items.filter(({ action }: any) => action === 'deleteOrganizationSAMLProviderById')).toHaveLength(1)
  })

  it('are for admins only, and found in their own organization only', async () => {
    const api = await openTestClient(await open())
    const [admin, member, other] = [
      await api.person('admin'),
      await api.person('member'),
      await api.person('other'),
    ]
    const [ours, theirs] = [await api.organization(admin), await api.organization(other, 'Other')]
    await api.join(ours, member, 'create')
    const { id } = (await api.request(admin, 'POST', `/orgs/${ours}/saml`, { label: 'A' })).body
    expect((await api.request(admin, 'GET', `/orgs/${ours}/saml`)).body.count).toBe(1)
    expect((await api.request(member, 'GET', `/orgs/${ours}/saml`)).status).toBe(403)
    expect((await api.request(member, 'DELETE', `/orgs/${ours}/saml/${id}`)).status).toBe(403)
    expect((await api.request(other, 'GET', `/orgs/${theirs}/saml/${id}`)).status).toBe(404)
    expect((await api.request(null, 'GET', '/orgs/unknown/sso')).status).toBe(404)
  })

  it.each([
    ['certificate', 'not a certificate', 'no X.509 certificate'],
    ['ssoURL', 'javascript:alert(1)', 'https://'],
    ['defaultTeam', 'unknown', 'a team'],
    ['label', 'x'.repeat(31), '30 characters'],
  ])('refuse %s "%s"', async (member, value, problem) => {
    const api = await openTestClient(await open())
    const admin = await api.person('admin')
    const organization = await api.organization(admin)
    const wanted = { label: 'A', [member]: value }
    const answer = await api.request(admin, 'POST', `/orgs/${organization}/saml`, wanted)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(problem)
  })
})
