/** Extracts the metadata of a page's text for the page tree: the one `Describe` that all edits use. */
import { describeParsed } from '../../core/markdown/describe.js'
import { parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import type { Describe } from '../../core/pages/describe.js'
import type { ObjectSink } from '../../store/content/sink.js'
import { encodeLinks } from '../../store/content/text-links.js'

/** Stores texts and the packed links of each. */
export type TextSink = Pick<ObjectSink, 'findText' | 'noteLinks'>

/** Returns the `Describe` for texts of the sink, which also notes their links. */
export function describeInto(sink: TextSink): Describe {
  return (text, hash) => {
    const page = parsePage(text)
    if (hash !== undefined && sink.findText(hash) !== undefined)
      sink.noteLinks(hash, encodeLinks(linksOfParsed(text, page)))
    const { problems: _, ...description } = describeParsed(text, page)
    return description
  }
}
