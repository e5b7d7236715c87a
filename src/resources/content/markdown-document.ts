/** Converts Markdown outside of pages, such as comments, into documents. */
import { documentJson } from '../../core/document/json.js'
import { mentionedUser } from '../../core/mentions.js'
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
