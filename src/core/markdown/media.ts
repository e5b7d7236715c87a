/**
 * `<video>` and `<audio>` elements as file blocks. One with several sources, or with subtitles, stays HTML, because a file
 * block has a single source.
 */
import type { File } from '../document/types.js'
import { spanOf } from './construct.js'
import type { ElementNode } from './nodes.js'
import { defined, elementValue } from './reader.js'

/** Returns the file block of a media element; undefined for all other elements. */
export function readMedia(element: ElementNode): File | undefined {
  if (element.name !== 'video' && element.name !== 'audio') return undefined
  const parts = element.children.filter((child): child is ElementNode => child.kind === 'element')
  const sources = [element, ...parts.filter(({ name }) => name === 'source')].flatMap(
    (one) => elementValue(one, 'src') ?? [],
  )
  if (sources.length !== 1 || parts.some(({ name }) => name === 'track')) return undefined
  return defined({
    type: 'file' as const,
    span: spanOf(element),
    src: sources[0]!,
    poster: elementValue(element, 'poster'),
    width: elementValue(element, 'width'),
    height: elementValue(element, 'height'),
    caption: [],
  })
}
