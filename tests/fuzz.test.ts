/** Fuzzer: the requests that `npm run fuzz` generates and the faults that it detects, without a server; the run itself takes too long. */
import { expect, test } from 'vitest'
import { routes } from '../src/server/api/api.js'
import { createSeededRandom } from '../dev/fuzz/random.js'
import { findFaults } from '../dev/fuzz/check-response.js'
import { type FuzzRequest, makeRequest } from '../dev/fuzz/make-request.js'

const endpoints = routes.map(({ endpoint }) => endpoint)
const endpointOf = (name: string) => endpoints.find(({ operationId }) => operationId === name)!
const make = (seed: number): FuzzRequest[] =>
  endpoints.map((one) => makeRequest(one, createSeededRandom(seed)))

test('equal seeds generate equal requests, for every operation, and other seeds generate others', () => {
  const first = make(1)
  expect(first).toHaveLength(endpoints.length)
  expect(make(1)).toEqual(first)
  expect(make(2)).not.toEqual(first)
  for (const { path } of [1, 2, 3, 4].flatMap(make)) expect(path).toMatch(/^\/[!-~]*$/)
})

test('what may not be answered is noticed', () => {
  const endpoint = endpointOf('getSpaceById')
  const request: FuzzRequest = {
    operationId: 'getSpaceById',
    actor: 'A.reader',
    method: 'GET',
    path: '/spaces/@A.space',
  }
  const faultsOf = (status: number, body: unknown, more: Partial<FuzzRequest> = {}): string[] => {
    const text = JSON.stringify(body)
    const answer = { status, body: text, text, contentType: 'application/json', milliseconds: 1 }
    return findFaults(endpoint, { ...request, ...more }, answer, 'zebrafish')
  }
  const error = (code: number, message = 'No.') => ({ error: { code, message } })
  expect(faultsOf(404, error(404))).toEqual([])
  expect(faultsOf(500, error(500))).toEqual(['has the status 500'])
  expect(faultsOf(418, error(418))).toEqual(['has the status 418'])
  expect(faultsOf(404, error(403))).toEqual(['is a refusal of another shape'])
  expect(faultsOf(201, {})).toEqual(['has the status 201, which the contract does not name'])
  expect(faultsOf(200, {})[0]).toContain('another shape than the contract says')
  expect(faultsOf(404, error(404, 'No zebrafish.'))).toEqual(['tells of another organization'])
  expect(faultsOf(404, error(404, 'No zebrafish.'), { actor: 'B.admin' })).toEqual([])
})
