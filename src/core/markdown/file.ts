/** `{% file src="../.gitbook/assets/a.pdf" %} caption {% endfile %}`, the end being optional. */
import type { File } from '../document/types.js'
import { captionOf } from './caption.js'
import { type Construct, spanOf } from './construct.js'
import { encodeAttribute } from './entities.js'
import { referAttribute } from './reader.js'
import { formatTag } from './tags.js'

export const file: Construct = {
  ending: 'alone',
  read(node, reader) {
    const src = referAttribute(reader, 'file', node.tag.attributes.get('src')) ?? ''
    if (src === '') reader.problem('A file needs src', node.tag.span)
    return [{ type: 'file', span: spanOf(node), src, caption: captionOf(node.children, reader) }]
  },
}

type Media = Pick<File, 'src' | 'poster' | 'width' | 'height'>

/** Returns the opening tag; a video with a poster or a size, which the tag does not have, as the whole element. */
export function formatFile(file: Media): string {
  const { src, poster, width, height } = file
  if (!isVideoElement(file)) return formatTag('file', { src })
  const attributes = Object.entries({ src, poster, width, height }).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${encodeAttribute(value)}"`],
  )
  return `<video${attributes.join('')} controls></video>`
}

/** Returns whether a file is written as an element, which has no caption. */
export function isVideoElement({ poster, width, height }: Media): boolean {
  return poster !== undefined || width !== undefined || height !== undefined
}
