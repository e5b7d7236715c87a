/** How this product reads a page's text for the tree: the one `Describe` that every edit is given. */
import { describePage } from '../../core/markdown/describe.js'
import type { Describe } from '../../core/pages/describe.js'

export const describe: Describe = (text) => {
  const { title, metadata, references } = describePage(text)
  return { ...(title !== undefined && { title }), metadata, references }
}
