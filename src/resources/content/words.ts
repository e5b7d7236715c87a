/** What people say beside the pages, such as in comments: Markdown, shown as a document. */
import { documentJson } from '../../core/document/json.js'
import { parseFragment } from '../../core/markdown/parse.js'

/** Returns the words as the API shows documents. */
export function documentOfWords(markdown: string) {
  return documentJson(parseFragment(markdown).document, { resolve: () => undefined })
}
