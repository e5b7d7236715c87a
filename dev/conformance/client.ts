/**
 * Calls through a published client, unchanged but for its endpoint: the method of an operation is found by its path in the
 * description inside the package, and called with its own signature.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Endpoint } from '../../src/contract/endpoint.js'
import type { Client } from '../../tests/client-schemas.js'
import { placeOf } from '../../tests/conformance/core.js'
import type { ApiCall, CallResponse } from '../../tests/conformance/tour.js'

type Method = (...values: unknown[]) => Promise<Response & { data: unknown }>

interface GitBook {
  readonly GitBookAPI: new (options: { endpoint: string; authToken?: string }) => object
}

export interface PublishedClient {
  /** Whether the client has the operation. */
  has(endpoint: Endpoint): boolean
  /** Sends a call through the client; undefined where its method takes fewer parameters. */
  send(apiCall: ApiCall): Promise<CallResponse | undefined>
}

/** Loads a generation of the client for a server at this address. */
export async function loadClient(client: Client, endpoint: string): Promise<PublishedClient> {
  const { GitBookAPI } = (await import(`gitbook-api-${client}`)) as GitBook
  const file = fileURLToPath(import.meta.resolve(`gitbook-api-${client}/spec/openapi.json`))
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Description
  const names = new Map<string, string>()
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      if (typeof operation.operationId === 'string') names.set(placeOf(method, path), operation.operationId)

  /** Methods are named after operations, with different capitalization. */
  function methodOf(api: object, { method, path }: Endpoint): Method | undefined {
    const name = names.get(placeOf(method, path))?.toLowerCase()
    if (name === undefined) return undefined
    for (const group of Object.values(api)) {
      if (typeof group !== 'object' || group === null) continue
      for (const [key, value] of Object.entries(group))
        if (typeof value === 'function' && key.toLowerCase() === name) return value as Method
    }
    return undefined
  }

  const anonymous = new GitBookAPI({ endpoint })
  return {
    has: (one) => methodOf(anonymous, one) !== undefined,
    async send({ person, endpoint: apiEndpoint, ids, query, body, bytes }) {
      const method = methodOf(new GitBookAPI({ endpoint, authToken: person.token }), apiEndpoint)
      if (method === undefined || bytes !== undefined) return undefined
      const named = /^\(([^)]*)\)/.exec(method.toString())?.[1] ?? ''
      const takes = named.split(',').map((one) => one.trim().split(' ')[0]!)
      const members = membersOf(query)
      if (Object.keys(members).length > 0 && !takes.includes('query')) return undefined
      if (isAnything(body) && !takes.includes('data')) return undefined
      const rest = ids.map((id) => encodeURIComponent(id))
      const values = takes.map((name) => {
        if (name === 'query') return members
        if (name === 'data') return body
        return name === 'params' ? {} : rest.shift()
      })
      const answer = await method(...values)
      // The method has read the body where it is one that it reads.
      const data = answer.data ?? undefined
      return { status: answer.status, body: data, bytes: new TextEncoder().encode(JSON.stringify(data)) }
    },
  }
}

/** A body without members may as well be left out. */
function isAnything(body: unknown): boolean {
  return body !== undefined && Object.keys(body as object).length > 0
}

type Description = { readonly paths: Record<string, Record<string, { readonly operationId?: string }>> }

function membersOf(query: string): Record<string, string | string[]> {
  const members: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const known = members[name]
    members[name] = known === undefined ? value : [...[known].flat(), value]
  }
  return members
}
