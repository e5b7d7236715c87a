/** Conformance run: one tour through one client at one server, with each list paged to its end, and the faults of the responses. */
import { isDeepStrictEqual } from 'node:util'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { NoSchema } from '../../src/contract/endpoint.js'
import { type Client, readClientSchemas } from '../../tests/client-schemas.js'
import { coreFaults } from '../../tests/conformance/core.js'
import { type Difference, differences, explained } from '../../tests/conformance/differences.js'
import {
  type Call,
  type ApiCall,
  type CallResponse,
  type World,
  endpoints,
  pathOf,
  requestOf,
  tour,
  untested,
} from '../../tests/conformance/tour.js'
import { type PublishedClient, loadClient } from './client.js'

export interface ConformanceResult {
  readonly calls: number
  /** Operations that were called through the client. */
  readonly throughClient: number
  readonly listsWalked: number
  /** A line a fault. */
  readonly faults: readonly string[]
}

/** Tours the server at the address, which the world reaches besides. */
export async function walk(
  client: Client,
  url: string,
  around: Omit<World, 'send'>,
): Promise<ConformanceResult> {
  const published = await loadClient(client, url)
  const faults: string[] = []
  const walked = new Set<string>()
  const through = new Set<string>()
  const more: Call[] = []

  async function send(apiCall: ApiCall): Promise<CallResponse> {
    const response = await sendThroughClient(published, apiCall, through, url)
    const { operationId } = apiCall.endpoint
    if (isList(apiCall) && response.status === 200 && !walked.has(operationId)) {
      walked.add(operationId)
      const { endpoint } = apiCall
      for await (const { status, body } of walkToEnd(apiCall, response, faults, url))
        more.push({ operationId, endpoint, status, body })
    }
    return response
  }

  const calls = [...(await tour({ ...around, send })), ...more]
  faults.push(...missed(calls, published, through), ...findFaults(calls, client))
  faults.push(...(await refusals(published, around)))
  return {
    calls: calls.length,
    throughClient: through.size,
    listsWalked: walked.size,
    faults: [...new Set(faults)],
  }
}

async function sendThroughClient(
  published: PublishedClient,
  apiCall: ApiCall,
  through: Set<string>,
  url: string,
): Promise<CallResponse> {
  const response = await published.send(apiCall)
  if (response === undefined) return sendDirectly(url, apiCall)
  through.add(apiCall.endpoint.operationId)
  return response
}

/** Sends what a client cannot express without it: operations of our own, and members that it does not know. */
async function sendDirectly(url: string, apiCall: ApiCall): Promise<CallResponse> {
  const { headers, payload } = requestOf(apiCall)
  const answer = await fetch(`${url}/v1${pathOf(apiCall)}`, {
    method: apiCall.endpoint.method,
    headers,
    ...(payload !== undefined && { body: payload }),
  })
  const content = new Uint8Array(await answer.arrayBuffer())
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  return {
    status: answer.status,
    body: isJson ? JSON.parse(new TextDecoder().decode(content)) : undefined,
    bytes: content,
  }
}

function isList({ endpoint, body }: ApiCall): boolean {
  const { properties = {} } = endpoint.query as { properties?: object }
  return endpoint.method === 'GET' && body === undefined && 'page' in properties && 'limit' in properties
}

/** Pages through a list with limit 1, and reports where it differs from the list in one response. */
async function* walkToEnd(
  apiCall: ApiCall,
  whole: CallResponse,
  faults: string[],
  url: string,
): AsyncGenerator<CallResponse> {
  const { operationId } = apiCall.endpoint
  const query = new URLSearchParams(apiCall.query)
  query.set('limit', '1')
  query.delete('page')
  const items: unknown[] = []
  for (let steps = 0; steps < 200; steps++) {
    const step = await sendDirectly(url, { ...apiCall, query: `?${query}` })
    yield step
    if (step.status !== 200) return void faults.push(`${operationId} is answered ${step.status} on the way`)
    items.push(...step.body.items)
    const next = step.body.next?.page
    if (next === undefined) {
      const { count } = whole.body
      if (count !== undefined && count !== items.length)
        faults.push(`${operationId} counts ${count} and lists ${items.length}`)
      query.set('limit', '1000')
      query.delete('page')
      const atOnce = await sendDirectly(url, { ...apiCall, query: `?${query}` })
      if (!isDeepStrictEqual(atOnce.body.items, items))
        faults.push(`${operationId} lists other items in pages of one than in one response`)
      return
    }
    query.set('page', next)
  }
  faults.push(`${operationId} has no end`)
}

/** Operations that were not called, or not through a client that has them. */
function missed(calls: readonly Call[], published: PublishedClient, through: ReadonlySet<string>): string[] {
  const called = new Set(calls.map(({ operationId }) => operationId))
  return [...endpoints.values()].flatMap((endpoint) => {
    const { operationId } = endpoint
    if (!called.has(operationId)) return untested.has(operationId) ? [] : [`${operationId} was not called`]
    return published.has(endpoint) && !through.has(operationId)
      ? [`${operationId} was not called through the client`]
      : []
  })
}

function findFaults(calls: readonly Call[], client: Client): string[] {
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  const schemas = readClientSchemas(client)
  const met = new Set<Difference>()
  const faults = calls.flatMap(({ operationId, endpoint, status, body }) => {
    const isOurs = endpoint.reply === NoSchema || ajv.validate(endpoint.reply, body)
    const theirs = schemas.faultsOf(endpoint, status, body).filter((fault) => {
      const difference = explained(client, operationId, fault)
      if (difference !== undefined) met.add(difference)
      return difference === undefined
    })
    return [...(isOurs ? [] : [ajv.errorsText()]), ...coreFaults(endpoint, status, body), ...theirs].map(
      (fault) => `${operationId} ${fault}`,
    )
  })
  const gone = differences.filter((one) => one.clients.includes(client) && !met.has(one))
  return [...faults, ...gone.map(({ why }) => `A difference is gone: ${why}`)]
}

/** What the client makes of a refusal: an error of its own class, with our status and message. */
async function refusals(published: PublishedClient, around: Omit<World, 'send'>): Promise<string[]> {
  const person = await around.person('stranger')
  const endpoint = endpoints.get('getSpaceById')!
  for (const [token, code, words] of [
    [person.token, 404, 'There is no such space'],
    ['oct_none', 401, 'The access token is unknown'],
  ] as const) {
    const apiCall = { person: { ...person, token }, endpoint, ids: ['nowhere'], query: '' }
    const error: any = await published.send(apiCall).catch((thrown: unknown) => thrown)
    if (error?.code !== code || !String(error?.errorMessage).startsWith(words))
      return [`A refusal with ${code} reaches the client as ${error}`]
  }
  return []
}
