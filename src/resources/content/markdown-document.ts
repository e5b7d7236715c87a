/** Converts Markdown outside of pages, such as comments, into documents. */
import { documentJson } from '../../core/document/json.js'
import { parseFragment } from '../../core/markdown/parse.js'

/** Returns the Markdown as a document of the API; links to users become references to them. */
export function documentOfMarkdown(markdown: string) {
  return documentJson(parseFragment(markdown).document, {
    resolve: (url) => {
      const user = mentionedUser(url)
      return user === undefined ? undefined : { kind: 'user', user }
    },
  })
}

/** Returns the id of the user that a URL names: `/users/…`, alone or as a URL of the API. */
function mentionedUser(url: string): string | undefined {
  const at = url.lastIndexOf('/users/')
  const isPerson = at === 0 || (at > 0 && url.endsWith('/v1', at))
  const id = url.slice(at + '/users/'.length)
  return isPerson && /^[\w-]{1,64}$/.test(id) ? id : undefined
}
