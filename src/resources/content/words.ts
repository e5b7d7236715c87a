/** What people say beside the pages, such as in comments: Markdown, shown as a document. */
import { documentJson } from '../../core/document/json.js'
import { parseFragment } from '../../core/markdown/parse.js'

/** Returns the words as the API shows documents; what leads to a person refers to them. */
export function documentOfWords(markdown: string) {
  return documentJson(parseFragment(markdown).document, {
    resolve: (url) => {
      const user = personOf(url)
      return user === undefined ? undefined : { kind: 'user', user }
    },
  })
}

/** Returns the id of whom an address means: `/users/…`, alone or as the API tells it. */
function personOf(url: string): string | undefined {
  const at = url.lastIndexOf('/users/')
  const isPerson = at === 0 || (at > 0 && url.endsWith('/v1', at))
  const id = url.slice(at + '/users/'.length)
  return isPerson && /^[\w-]{1,64}$/.test(id) ? id : undefined
}
