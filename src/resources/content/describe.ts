/** How this product reads a page's text for the tree: the one `Describe` that every edit is given. */
import { describeParsed } from '../../core/markdown/describe.js'
import { type ParsedPage, parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import type { Describe, Description } from '../../core/pages/describe.js'
import type { ObjectSink } from '../../store/content/sink.js'
import { packLinks } from '../../store/content/text-links.js'

export const describe: Describe = (text) => toDescription(text, parsePage(text))

/** Returns the same for what is put into the sink, which keeps what texts say of links beside them. */
export function describeInto(sink: ObjectSink): Describe {
  return (text, hash) => {
    const page = parsePage(text)
    if (hash !== undefined && sink.findText(hash) !== undefined)
      sink.noteLinks(hash, packLinks(linksOfParsed(text, page)))
    return toDescription(text, page)
  }
}

function toDescription(text: string, page: ParsedPage): Description {
  const { title, metadata, references } = describeParsed(text, page)
  return { ...(title !== undefined && { title }), metadata, references }
}
