/** How this product reads a page's text for the tree: the one `Describe` that every edit is given. */
import { describeParsed } from '../../core/markdown/describe.js'
import { parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import type { Describe } from '../../core/pages/describe.js'
import type { ObjectSink } from '../../store/content/sink.js'
import { packLinks } from '../../store/content/text-links.js'

/** Where texts are put and found again, and what they say of links is kept beside them. */
export type TextSink = Pick<ObjectSink, 'findText' | 'noteLinks'>

/** Returns the reader of texts for what is put into the sink. */
export function describeInto(sink: TextSink): Describe {
  return (text, hash) => {
    const page = parsePage(text)
    if (hash !== undefined && sink.findText(hash) !== undefined)
      sink.noteLinks(hash, packLinks(linksOfParsed(text, page)))
    const { problems: _, ...description } = describeParsed(text, page)
    return description
  }
}
