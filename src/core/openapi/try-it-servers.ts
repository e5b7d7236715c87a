/** Allowed targets of the API test panel: only the servers that the specification lists. */
import type { OperationView, ServerView } from './view.js'

const mostServers = 20
/** A web address without characters that are special in a content security policy; linear: bounded parts. */
const webAddress = /^https?:\/\/(?:[a-z0-9-]{1,63}\.){0,20}[a-z0-9-]{1,63}(?::\d{1,5})?(?=\/|$)/i

/** Returns the addresses of servers, with each choice of their variables; none where the panel is disabled. */
export function triedServers({ canTry, servers }: OperationView): readonly string[] {
  if (!canTry) return []
  const all = servers.flatMap((server) => [server.usual, ...choicesOf(server)])
  return [...new Set(all)].filter((url) => webAddress.test(url)).slice(0, mostServers)
}

/** Those with another value of one variable. */
function choicesOf({ url, variables }: ServerView): string[] {
  return variables.flatMap((changed) =>
    changed.choices.map((choice) =>
      variables.reduce(
        (text, { name, usual }) =>
          text.replaceAll(`{${name}}`, () => (name === changed.name ? choice : usual)),
        url,
      ),
    ),
  )
}

/** Returns the origins of addresses, in lower case, for a content security policy. */
export function originsOf(urls: readonly string[]): readonly string[] {
  return [...new Set(urls.map((url) => webAddress.exec(url)?.[0].toLowerCase() ?? ''))].filter(Boolean)
}
