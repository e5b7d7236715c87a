/**
 * Alternative texts of images: which images of a document have none. An empty one (`alt=""`) counts as none: editors write
 * it wherever nobody has entered a text.
 */
import type { Document, Image, Inline } from './types.js'
import { innerInlines, visitBlocks } from './visit.js'

/** An image in the document, as its source names it. */
export interface PlacedImage {
  readonly url: string
  /** Which of the images with this URL it is, from 0, in the order of the document. */
  readonly nth: number
}

/** Returns the images without an alternative text, in the order of the document. */
export function listImagesWithoutAlternative(document: Document): PlacedImage[] {
  const counts = new Map<string, number>()
  const found: PlacedImage[] = []
  const add = ({ src, alt }: Pick<Image, 'src' | 'alt'>): void => {
    const nth = counts.get(src) ?? 0
    counts.set(src, nth + 1)
    if (alt === undefined) found.push({ url: src, nth })
  }
  const addInlines = (inlines: readonly Inline[]): void => {
    for (const inline of inlines) {
      if (inline.type === 'inline-image') add(inline)
      else if (inline.type === 'link' || inline.type === 'annotation') addInlines(inline.children)
    }
  }
  visitBlocks(document, (block) => {
    if (block.type === 'images') for (const image of block.images) add(image)
    else if (block.type === 'drawing') add(block)
    for (const inlines of innerInlines(block)) addInlines(inlines)
  })
  return found
}
