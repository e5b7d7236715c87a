/**
 * A long document as several: one for what stands before its first chapter, one for each chapter. Notes go with the text
 * that refers to them, and links between the chapters say into which they lead. Reads what a library wrote: elements
 * that are closed in their order, and attributes in double quotes.
 */
interface Element {
  readonly name: string
  readonly attributes: string
  readonly start: number
  /** Where what it holds begins and ends. */
  readonly from: number
  readonly to: number
  readonly end: number
}

const firstChapters = 2
const mostChapters = 500
const note = /^(?:foot|end)note-\d+$/
const backToText = /^(?:foot|end)note-ref-/

/** Returns the whole alone where it has fewer than two chapters; else what stands before them, and each of them. */
export function splitChapters(html: string): readonly string[] {
  const elements = elementsOf(html)
  const lists = new Set(elements.filter((one) => one.name === 'ol' && notesOf(html, one).size > 0))
  const notes = new Map([...lists].flatMap((list) => [...notesOf(html, list)]))
  const texts = elements.filter((one) => !lists.has(one))
  const begins = texts.flatMap((one, at) => (isChapter(one) ? [at] : []))
  if (begins.length < firstChapters || begins.length > mostChapters) return [html]
  const pieces = [0, ...begins].map((from, at) =>
    texts
      .slice(from, begins[at])
      .map(({ start, end }) => html.slice(start, end))
      .join(''),
  )
  const standsIn = new Map<string, number>()
  for (const [at, piece] of pieces.entries())
    for (const [, id] of piece.matchAll(/ id="([^"]*)"/g)) if (!standsIn.has(id!)) standsIn.set(id!, at)
  return pieces.map((piece, at) => {
    const noted = notesFor(piece, notes)
    const list = noted.length === 0 ? '' : `<ol>${noted.join('')}</ol>`
    return (piece + list).replace(/ href="#([^"]*)"/g, (written, id: string) => {
      const other = standsIn.get(id)
      if (other === undefined || other === at || backToText.test(id)) return written
      return ` href="${chapterLink}${other}#${id}"`
    })
  })
}

const chapterLink = '~chapter/'

/** Returns which of the pieces a destination leads into, and the part of it; undefined where it leads elsewhere. */
export function readChapterLink(
  url: string,
): { readonly chapter: number; readonly fragment: string } | undefined {
  const [, chapter, fragment] = /^~chapter\/(\d{1,3})#(.*)$/.exec(url) ?? []
  return chapter === undefined ? undefined : { chapter: Number(chapter), fragment: fragment! }
}

/** The title of the whole is none. */
function isChapter({ name, attributes }: Element): boolean {
  return name === 'h1' && !/ class="title"/.test(attributes)
}

/** The notes of a list of notes, by their names. */
function notesOf(html: string, list: Element): ReadonlyMap<string, string> {
  const notes = new Map<string, string>()
  const inner = html.slice(list.from, list.to)
  for (const { attributes, start, end } of elementsOf(inner)) {
    const [, id] = / id="([^"]*)"/.exec(attributes) ?? []
    if (id !== undefined && note.test(id)) notes.set(id, inner.slice(start, end))
  }
  return notes
}

/** The notes that a text refers to, and those that these refer to, in the order of the text. */
function notesFor(text: string, notes: ReadonlyMap<string, string>): readonly string[] {
  const named = new Set<string>()
  const waiting = [text]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const [, id] of next.matchAll(/ href="#([^"]*)"/g)) {
      if (!notes.has(id!) || named.has(id!)) continue
      named.add(id!)
      waiting.push(notes.get(id!)!)
    }
  }
  return [...named].map((id) => notes.get(id)!)
}

/** Returns the elements that stand in no other, in one pass. */
function elementsOf(html: string): readonly Element[] {
  const elements: Element[] = []
  let depth = 0
  let open:
    | { readonly name: string; readonly attributes: string; readonly start: number; readonly from: number }
    | undefined
  for (const tag of html.matchAll(/<(\/?)([a-z][a-z\d]{0,20})([^<>]*)>/g)) {
    const [written, slash, name, attributes] = tag as unknown as [string, string, string, string]
    const [start, end] = [tag.index, tag.index + written.length]
    if (attributes.endsWith('/')) {
      if (depth === 0) elements.push({ name, attributes, start, from: end, to: end, end })
    } else if (slash === '') {
      if (depth++ === 0) open = { name, attributes, start, from: end }
    } else if (--depth === 0 && open !== undefined) elements.push({ ...open, to: start, end })
  }
  return elements
}
