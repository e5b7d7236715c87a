/**
 * Import of Word documents. The library converts the format to HTML, which is then read like any page; it gets the parts of
 * the file unpacked, so that it opens no archive and no file itself. What it ignores is reported in `lost`.
 */
import { createHash } from 'node:crypto'
import { splitChapters } from '../../core/html/split-chapters.js'
import type { HtmlPage } from '../../core/html/convert.js'
import { pictureExtensions } from '../../core/html/data-url.js'
import { type DocumentParts, type WordElement, emptyLine, normalizeElements } from './docx-elements.js'
import { applyNumbers, markNumbers, readNumbering } from './docx-numbering.js'

/** Style mappings that the library does not have. */
const styleMap = [
  "p[style-name='Title'] => h1.title:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote > p:fresh",
  "p[style-name='Intense Quote'] => blockquote > p:fresh",
  "p[style-name='Block Text'] => blockquote > p:fresh",
  "p[style-name='Code'] => pre:separator('\\n')",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Preformatted Text'] => pre:separator('\\n')",
  "p[style-name='macro'] => pre:separator('\\n')",
  "r[style-name='Verbatim Char'] => code",
  "r[style-name='HTML Code'] => code",
  "r[style-name='HTML Typewriter'] => code",
  "r[style-name='Source Text'] => code",
  "r[style-name='Teletype'] => code",
  'u => u',
  'highlight => mark',
]

/**
 * Converts the document to one page or, with `isParted` and chapters, one for the beginning and one for each chapter.
 * Pictures are `embedded`. Throws the library's errors.
 */
export async function readDocument(
  parts: DocumentParts,
  isParted: boolean,
  convert: (html: string) => HtmlPage,
): Promise<readonly HtmlPage[]> {
  for (const [name, bytes] of parts) if (/\.(?:xml|rels)$/.test(name)) limitNesting(name, bytes)
  const { default: mammoth } = await import('mammoth')
  const { numbering, parts: read } = readNumbering(parts)
  const pictures = new Map<string, { readonly name: string; readonly bytes: Uint8Array }>()
  const lost = new Map<string, number>()
  const lose = (what: string): void => void lost.set(what, (lost.get(what) ?? 0) + 1)
  const convertImage = mammoth.images.imgElement(async (image) => {
    const extension = pictureExtensions.get(image.contentType)
    if (extension === undefined) {
      lose(`pictures of a kind that browsers do not show (${image.contentType})`)
      return { src: '' }
    }
    const bytes = await image.readAsBuffer()
    const hash = createHash('sha256').update(bytes).digest('hex')
    const known = pictures.get(hash) ?? { name: `image-${pictures.size + 1}.${extension}`, bytes }
    pictures.set(hash, known)
    return { src: `embedded:${known.name}` }
  })
  const { value, messages } = await mammoth.convertToHtml(
    { file: fileOf(read) } as unknown as Parameters<typeof mammoth.convertToHtml>[0],
    {
      styleMap,
      convertImage,
      includeEmbeddedStyleMap: false,
      transformDocument: (document: WordElement) => normalizeElements(markNumbers(document, numbering)),
    },
  )
  for (const { message } of messages) {
    const note = translateMessage(message)
    if (note !== undefined) lose(note)
  }
  reportLostParts(parts, lose)
  const notes = Array.from(lost, ([what, count]) => (count === 1 ? what : `${what} (${count} times)`))
  const html = applyNumbers(value.replaceAll(emptyLine, ''))
  return (isParted ? splitChapters(html) : [html]).map((html, at) => {
    const page = convert(html)
    const used = new Set(page.destinations)
    const own = [...pictures.values()].filter(({ name }) => used.has(`embedded:${name}`))
    return {
      ...page,
      embedded: [...page.embedded, ...own],
      lost: at === 0 ? [...notes, ...page.lost] : page.lost,
    }
  })
}

/** Word nests thirty elements; searching the end of each takes quadratic time in the depth. */
const maxDepth = 250
const maxElements = 3_000_000

/** Throws for a part with too many or too deeply nested elements; in one pass over its bytes. */
function limitNesting(name: string, bytes: Uint8Array): void {
  const [open, close, slash] = [0x3c, 0x3e, 0x2f]
  let depth = 0
  let elements = 0
  for (let at = bytes.indexOf(open); at >= 0; at = bytes.indexOf(open, at)) {
    const next = bytes[at + 1]
    let quote = 0
    let end = at + 1
    for (; end < bytes.length; end++) {
      const byte = bytes[end]!
      if (quote !== 0) {
        if (byte === quote) quote = 0
      } else if (byte === close) break
      else if (byte === 0x22 || byte === 0x27) quote = byte
    }
    if (next === slash) depth--
    // Declarations and comments are not elements.
    else if (next !== 0x21 && next !== 0x3f && bytes[end - 1] !== slash) depth++
    if (depth > maxDepth || ++elements > maxElements)
      throw new Error(`the part ${name} is too deep or too large`)
    at = end
  }
}

/** The archive interface of the library. */
function fileOf(parts: DocumentParts): object {
  const read = (name: string): Uint8Array => {
    const part = parts.get(name)
    if (part === undefined) throw new Error(`it has no part ${name}`)
    return part
  }
  return {
    exists: (name: string) => parts.has(name),
    read: async (name: string, encoding?: string) => {
      const bytes = Buffer.from(read(name))
      return encoding === undefined ? bytes : bytes.toString(encoding === 'base64' ? 'base64' : 'utf8')
    },
  }
}

/** Returns the note for a message of the library, if it matters. */
function translateMessage(message: string): string | undefined {
  const style = /^Unrecognised (paragraph|run|table) style: '?([^'(]{1,100})/.exec(message)
  // Text of an unknown style is plain text.
  if (style) return undefined
  const element = /^An unrecognised element was ignored: ([\w:{}/.-]{1,200})/.exec(message)?.[1]
  if (element !== undefined) return knownElements.get(element) ?? `elements ${element}`
  return message.slice(0, 200)
}

const knownElements = new Map([
  ['m:oMath', 'formulas'],
  ['m:oMathPara', 'formulas'],
  ['{http://schemas.openxmlformats.org/officeDocument/2006/math}oMath', 'formulas'],
  ['{http://schemas.openxmlformats.org/officeDocument/2006/math}oMathPara', 'formulas'],
])

/** Reports parts of a document that are not converted. */
function reportLostParts(parts: DocumentParts, lose: (what: string) => void): void {
  const count = (name: string, mark: string): number => {
    const part = parts.get(name)
    return part === undefined ? 0 : Buffer.from(part).toString('utf8').split(mark).length - 1
  }
  for (let left = count('word/comments.xml', '<w:comment '); left > 0; left--) lose('comments')
  if (count('word/document.xml', '<w:del ') > 0) lose('text that was deleted and waits for a decision')
  const names = [...parts.keys()]
  if (names.some((name) => /^word\/(?:header|footer)\d{0,4}\.xml$/.test(name))) lose('headers and footers')
  for (const name of names) if (/^word\/charts\/chart\d{0,4}\.xml$/.test(name)) lose('charts')
}
