/** Jobs of OpenAPI specifications, run in place of the worker. */
import { specHandlers } from '../src/resources/openapi-specs/process.js'
import { drainJobs } from '../src/store/jobs/testing.js'
import type { TestClient } from './test-client.js'

/** Runs waiting jobs; checks of URLs only when they are due. Returns how many jobs there were. */
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

/** A small specification, recognizable by its title. */
export function specText(title: string, more: object = {}): string {
  const paths = {
    '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'Pets.' } } } },
  }
  return JSON.stringify({ openapi: '3.1.0', info: { title, version: '1' }, paths, ...more })
}
