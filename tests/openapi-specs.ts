/** The worker's part of OpenAPI specifications, for tests that have none. */
import { specHandlers } from '../src/resources/openapi-specs/process.js'
import { drainJobs } from '../src/store/jobs/testing.js'
import type { TestClient } from './test-client.js'

/** Processes what waits; checks of addresses only when their time has come. Answers how many jobs there were. */
export function processSpecs({ services, now }: Pick<TestClient, 'services' | 'now'>): Promise<number> {
  return drainJobs({
    database: services.database,
    handlers: specHandlers({ services, now, random: () => 0.5 }),
    now,
    random: () => 0.5,
    report: (error) => {
      throw error
    },
    signal: new AbortController().signal,
  })
}

/** A page of a table of contents that is made of a specification. */
export function computedPage(title: string, spec: string, indentation = ''): string {
  const lines = [
    '* ```yaml',
    '  type: builtin:openapi',
    `  title: ${title}`,
    '  dependencies:',
    '    spec:',
    '      ref:',
    '        kind: openapi',
    `        spec: ${spec}`,
    '  ```',
  ]
  return lines.map((line) => `${indentation}${line}\n`).join('')
}

/** A small specification with something to tell it from others. */
export function specText(title: string, more: object = {}): string {
  const paths = {
    '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'Pets.' } } } },
  }
  return JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths, ...more })
}
