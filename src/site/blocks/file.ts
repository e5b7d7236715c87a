/** A file to download, as a card; videos and audio play in place. */
import type { File } from '../../core/document/types.js'
import { defined } from '../../core/markdown/reader.js'
import { attributes, html, type Html } from '../html.js'
import { renderCardLine } from './card-line.js'
import { supportedLocale } from '../words/words.js'
import type { FileTarget, PageRenderer } from './context.js'
import { icon } from './icons.js'
import { sizeOf, sourceOf } from './images.js'
import { lastPart, safeUrl } from './safe-url.js'

/** A card with the file's name, kind and size, or a player for video and audio. */
export function renderFile(block: File, page: PageRenderer): Html {
  const player = renderMedia(block.src, page, block)
  const caption = block.caption.length > 0 && page.inlines(block.caption)
  if (player !== undefined) return figure(player, caption)
  const file = page.context.file(block.src)
  const target = page.context.link(block.src)
  const isMissing = file === undefined && target.broken === true
  const href = isMissing ? undefined : safeUrl(file?.href ?? target.href)
  const name = file?.name ?? target.page?.title ?? lastPart(block.src)
  const details = [
    file === undefined ? undefined : kindOf(file),
    file?.size === undefined ? undefined : readableSize(file.size, page.context.language ?? 'en'),
  ]
  return figure(
    renderCardLine({
      href,
      sign: icon(isMissing ? 'file-x' : 'file-down'),
      title: name,
      detail: isMissing ? page.words.fileMissing : details.filter(Boolean).join(' · '),
      end: isMissing ? undefined : 'download',
      download: file?.name,
    }),
    caption,
  )
}

function figure(content: Html, caption: Html | false): Html {
  return html`<figure class="attachment">
    ${content}${caption !== false && html`<figcaption>${caption}</figcaption>`}
  </figure>\n`
}

const films = /\.(?:mp4|webm|ogv|m4v|mov)$/i
const sounds = /\.(?:mp3|ogg|oga|wav|m4a|flac|opus)$/i

/** A player for a video or audio file of the space; undefined for everything else. */
export function renderMedia(
  src: string,
  page: PageRenderer,
  { poster, width, height }: Pick<File, 'poster' | 'width' | 'height'> = {},
): Html | undefined {
  const file = page.context.file(src)
  const source = file === undefined ? undefined : sourceOf(src, page)
  if (file === undefined || source === undefined) return undefined
  const type = file.contentType ?? ''
  if (type.startsWith('video/') || films.test(file.name)) {
    const own = attributes({
      src: source.src,
      poster: poster === undefined ? undefined : sourceOf(poster, page)?.src,
      controls: true,
      preload: 'metadata',
      playsinline: true,
      ...sizeOf(defined({ width, height }), file),
    })
    return html`<video${own}></video>`
  }
  if (type.startsWith('audio/') || sounds.test(file.name)) {
    return html`<audio${attributes({ src: source.src, controls: true, preload: 'metadata' })}></audio>`
  }
  return undefined
}

function kindOf(file: FileTarget): string {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(file.name)?.[1]
  return ending === undefined ? (file.contentType ?? '') : ending.toUpperCase()
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Returns a localized file size: "512 bytes", "1.4 MB". */
export function readableSize(bytes: number, language: string): string {
  let size = bytes
  let at = 0
  // 999.95 would be printed as 1000.0.
  while (size >= 999.95 && at < units.length - 1) {
    size /= 1000
    at++
  }
  return new Intl.NumberFormat(supportedLocale(language), {
    style: 'unit',
    unit: units[at]!,
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: at === 0 || size >= 99.95 ? 0 : 1,
  }).format(size)
}
