/** Extracts the metadata of a page's text for the page tree: the one `Describe` that all edits use. */
import { describeParsed } from '../../core/markdown/describe.js'
import { parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import type { Describe, Description } from '../../core/pages/describe.js'
import type { Caches } from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { ObjectSink } from '../../store/content/sink.js'
import { encodeLinks } from '../../store/content/text-links.js'

/** Stores texts and the packed links of each. */
export type TextSink = Pick<ObjectSink, 'findText' | 'noteLinks'>

/** Returns the `Describe` for texts of the sink, which also notes their links; `parse` may know texts already. */
export function describeInto(sink: TextSink, parse = parsePage): Describe {
  return (text, hash) => {
    const page = parse(text)
    if (hash !== undefined && sink.findText(hash) !== undefined)
      sink.noteLinks(hash, encodeLinks(linksOfParsed(text, page)))
    const { problems: _, ...description } = describeParsed(text, page)
    return description
  }
}

const descriptionKind = cacheKind<Description>(
  'description',
  ({ references }) => 300 + references.reduce((sum, { url }) => sum + 200 + url.length * 2, 0),
)

/** The same with a cache: an edit needs the description of the text before it, which the last edit made. */
export function describeThrough(
  caches: Pick<Caches, 'find' | 'put'>,
  sink: TextSink,
  parse = parsePage,
): Describe {
  const describe = describeInto(sink, parse)
  return (text, hash) => {
    if (hash === undefined) return describe(text)
    // The links of a new text are noted with its description.
    const known = sink.findText(hash) === undefined ? caches.find(descriptionKind, hash) : undefined
    if (known !== undefined) return known
    const description = describe(text, hash)
    caches.put(descriptionKind, hash, description)
    return description
  }
}
