/** Servers of operations: addresses with variables; Swagger 2.0 has them in parts. */
import type { Specification } from './specification.js'
import { listOf, objectOf, textOf, textsOf } from './values.js'
import type { ServerView, VariableView } from './view.js'

const [mostServers, mostVariables, mostChoices] = [20, 10, 50]

/** Returns the servers of the innermost object that has some. */
export function readServers(specification: Specification, places: readonly unknown[]): readonly ServerView[] {
  const server = places.find((one) => listOf(one).length > 0) ?? specification.at('/servers')
  const servers = listOf(server).slice(0, mostServers).map(readServer)
  if (servers.length > 0) return servers
  return serversOfParts(specification)
}

function readServer(raw: unknown): ServerView {
  const server = objectOf(raw)
  // An empty address is that of the specification itself.
  const url = withoutSlash(textOf(server['url'], 2_000) ?? '')
  const description = textOf(server['description'], 300) ?? textOf(server['name'], 300)
  const variables = Object.entries(objectOf(server['variables']))
    .slice(0, mostVariables)
    .map(([name, one]): VariableView => {
      const variable = objectOf(one)
      const choices = textsOf(variable['enum']).slice(0, mostChoices)
      const declared = textOf(variable['description'], 1_000)
      const usual = variable['default'] === undefined ? (choices[0] ?? '') : String(variable['default'])
      return { name, usual, choices, ...(declared && { description: declared }) }
    })
  return { url, usual: filled(url, variables), variables, ...(description && { description }) }
}

/** A path follows, which begins with one. */
export function withoutSlash(url: string): string {
  let end = url.length
  while (end > 0 && url[end - 1] === '/') end--
  return url.slice(0, end)
}

function filled(url: string, variables: readonly VariableView[]): string {
  return variables.reduce((text, { name, usual }) => text.replaceAll(`{${name}}`, () => usual), url)
}

function serversOfParts(specification: Specification): readonly ServerView[] {
  const host = textOf(specification.at('/host'), 300)
  if (host === undefined) return []
  const schemes = textsOf(specification.at('/schemes'))
  const path = withoutSlash(textOf(specification.at('/basePath'), 500) ?? '')
  return (schemes.length === 0 ? ['https'] : schemes.slice(0, 4)).map((scheme) => {
    const url = `${scheme}://${host}${path}`
    return { url, usual: url, variables: [] }
  })
}
