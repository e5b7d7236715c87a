/** An authentication request is answered once and finished once, each time only by its own provider and browser. */
import { beforeAll, expect, test } from 'vitest'
import { type TestClient, openTestClient } from '../../../../tests/test-client.js'
import { describeEngines } from '../../../../tests/engines.js'
import type { OrganizationId, SamlProviderId, UserId } from '../../../core/ids.js'
import { newId } from '../../ids.js'
import {
  type SamlRequest,
  answerSamlRequest,
  insertSamlRequest,
  isRequestOpen,
  requestLifetime,
  takeSamlRequest,
} from './requests.js'

const now = 1_000_000

describeEngines('a SAML authentication request', ({ open }) => {
  let api: TestClient
  let userId: UserId
  let organizationId: OrganizationId
  let providerId: SamlProviderId
  let otherProviderId: SamlProviderId

  beforeAll(async () => {
    api = await openTestClient(await open())
    const ann = await api.person('ann')
    userId = ann.id
    organizationId = await api.organization(ann)
    const provider = async (label: string) =>
      (await api.request(ann, 'POST', `/orgs/${organizationId}/saml`, { label })).body.id as SamlProviderId
    providerId = await provider('One')
    otherProviderId = await provider('Other')
  })

  async function newRequest(): Promise<{ request: SamlRequest; browser: string }> {
    const request = { id: newId(), organizationId, providerId, returnTo: '/there' }
    const browser = await api.services.database.write((tx) => insertSamlRequest(tx, request, now))
    return { request, browser }
  }
  const isOpen = (request: SamlRequest, at = now) => isRequestOpen(api.services.database.read, request, at)
  const answer = (request: SamlRequest, at = now) =>
    api.services.database.write((tx) => answerSamlRequest(tx, request, userId, at))
  const take = (finish: string, browser: string, at = now) =>
    api.services.database.write((tx) => takeSamlRequest(tx, { finish, browser, now: at }))

  test('is answered once', async () => {
    const { request, browser } = await newRequest()
    expect(await isOpen(request)).toBe(true)
    const finish = await answer(request)
    expect(finish).toEqual(expect.any(String))
    expect(await isOpen(request)).toBe(false)
    expect(await answer(request)).toBeUndefined()
    expect(await take(finish!, browser)).toEqual({ ...request, userId })
    expect(await take(finish!, browser)).toBeUndefined()
  })

  test('is open to its own provider only', async () => {
    const { request } = await newRequest()
    for (const other of [
      { ...request, providerId: otherProviderId },
      { ...request, id: newId() },
      { ...request, organizationId: newId<OrganizationId>() },
    ]) {
      expect(await isOpen(other)).toBe(false)
      expect(await answer(other)).toBeUndefined()
    }
    expect(await answer(request)).toEqual(expect.any(String))
  })

  test('is finished by the browser that made it, and no other', async () => {
    const [one, two] = [await newRequest(), await newRequest()]
    const finish = (await answer(one.request))!
    expect(await take(finish, two.browser)).toBeUndefined()
    expect(await take('another secret', one.browser)).toBeUndefined()
    expect(await take(finish, one.browser)).toMatchObject({ id: one.request.id })
  })

  test('expires', async () => {
    const end = now + requestLifetime
    const { request, browser } = await newRequest()
    expect([await isOpen(request, end - 1), await isOpen(request, end)]).toEqual([true, false])
    expect(await answer(request, end)).toBeUndefined()
    const finish = (await answer(request, end - 1))!
    expect(await take(finish, browser, end)).toBeUndefined()
    expect(await take(finish, browser, end - 1)).toMatchObject({ id: request.id })
  })
})
