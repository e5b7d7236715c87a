/** Embedded images: `data:` URLs of a page become files. */

export interface EmbeddedImage {
  /** Unique in the page, with the extension of its type. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Image types that browsers display, with their file extensions. */
export const pictureExtensions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'image/png': 'png',
    'image/jpeg': 'jpg',
    'image/jpg': 'jpg',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/avif': 'avif',
    'image/bmp': 'bmp',
    'image/svg+xml': 'svg',
  }),
)

/** Images per page. */
const maxImages = 1_000

export interface EmbeddedImages {
  readonly images: readonly EmbeddedImage[]
  /** Returns the file name for an image's `data:` URL; undefined when it is not a valid image. */
  take(url: string): string | undefined
}

/** Returns an empty collection; equal URLs share one file. */
export function createEmbeddedImages(): EmbeddedImages {
  const images: EmbeddedImage[] = []
  const names = new Map<string, string>()
  return {
    images,
    take(url) {
      const existing = names.get(url)
      if (existing !== undefined || images.length >= maxImages) return existing
      const comma = url.indexOf(',')
      const head = url.slice('data:'.length, Math.max(0, comma)).toLowerCase().split(';')
      const extension = pictureExtensions.get(head[0]!.trim())
      if (comma < 0 || extension === undefined) return undefined
      const data = url.slice(comma + 1)
      const bytes = head.some((word) => word.trim() === 'base64') ? decodeBase64(data) : decodeText(data)
      if (bytes.length === 0) return undefined
      const name = `image-${images.length + 1}.${extension}`
      images.push({ name, bytes })
      names.set(url, name)
      return name
    },
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Map(Array.from(letters, (letter, value) => [letter.charCodeAt(0), value]))

/** Ignores characters outside the Base64 alphabet, as browsers do with line breaks. */
function decodeBase64(data: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((data.length * 3) / 4))
  let length = 0
  let bits = 0
  let buffer = 0
  for (let index = 0; index < data.length; index++) {
    const value = values.get(data.charCodeAt(index))
    if (value === undefined) continue
    buffer = ((buffer << 6) | value) & 0xffffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[length++] = (buffer >> bits) & 0xff
  }
  return bytes.slice(0, length)
}

function decodeText(data: string): Uint8Array {
  const bytes: number[] = []
  const text = data.replace(/[\u0080-\u{10ffff}]+/gu, encodeURIComponent)
  for (let index = 0; index < text.length; index++) {
    const hex = text[index] === '%' ? /^[\da-f]{2}/i.exec(text.slice(index + 1, index + 3))?.[0] : undefined
    bytes.push(hex === undefined ? text.charCodeAt(index) & 0xff : Number.parseInt(hex, 16))
    if (hex !== undefined) index += 2
  }
  return Uint8Array.from(bytes)
}
