/**
 * Splits a long document into chapters: one part for everything before the first chapter, one for each chapter.
 * Footnotes move to the chapters that refer to them, and links between chapters are rewritten. Only for HTML written
 * by a library: well-nested elements and attributes in double quotes.
 */
interface HtmlSpan {
  readonly name: string
  readonly attributes: string
  readonly start: number
  /** Offsets of its content. */
  readonly from: number
  readonly to: number
  readonly end: number
}

const minChapters = 2
const maxChapters = 500
const noteId = /^(?:foot|end)note-\d+$/
const backLinkId = /^(?:foot|end)note-ref-/

/** Returns the part before the first chapter and each chapter; the whole document when it has fewer than two chapters. */
export function splitChapters(html: string): readonly string[] {
  const elements = elementsOf(html)
  const lists = new Set(elements.filter((one) => one.name === 'ol' && notesOf(html, one).size > 0))
  const notes = new Map([...lists].flatMap((list) => [...notesOf(html, list)]))
  const texts = elements.filter((one) => !lists.has(one))
  const begins = texts.flatMap((one, at) => (isChapter(one) ? [at] : []))
  if (begins.length < minChapters || begins.length > maxChapters) return [html]
  const chapters = [0, ...begins].map((from, at) =>
    texts
      .slice(from, begins[at])
      .map(({ start, end }) => html.slice(start, end))
      .join(''),
  )
  const chapterOfId = new Map<string, number>()
  for (const [at, chapter] of chapters.entries())
    for (const [, id] of chapter.matchAll(/ id="([^"]*)"/g))
      if (!chapterOfId.has(id!)) chapterOfId.set(id!, at)
  return chapters.map((chapter, at) => {
    const chapterNotes = notesFor(chapter, notes)
    const list = chapterNotes.length === 0 ? '' : `<ol>${chapterNotes.join('')}</ol>`
    return (chapter + list).replace(/ href="#([^"]*)"/g, (written, id: string) => {
      const other = chapterOfId.get(id)
      if (other === undefined || other === at || backLinkId.test(id)) return written
      return ` href="${chapterLink}${other}#${id}"`
    })
  })
}

const chapterLink = '~chapter/'

/** Returns the chapter and fragment of a link between chapters; undefined for any other link. */
export function readChapterLink(
  url: string,
): { readonly chapter: number; readonly fragment: string } | undefined {
  const [, chapter, fragment] = /^~chapter\/(\d{1,3})#(.*)$/.exec(url) ?? []
  return chapter === undefined ? undefined : { chapter: Number(chapter), fragment: fragment! }
}

/** The title of the whole document is not a chapter. */
function isChapter({ name, attributes }: HtmlSpan): boolean {
  return name === 'h1' && !/ class="title"/.test(attributes)
}

/** The footnotes of a list, by id. */
function notesOf(html: string, list: HtmlSpan): ReadonlyMap<string, string> {
  const notes = new Map<string, string>()
  const inner = html.slice(list.from, list.to)
  for (const { attributes, start, end } of elementsOf(inner)) {
    const [, id] = / id="([^"]*)"/.exec(attributes) ?? []
    if (id !== undefined && noteId.test(id)) notes.set(id, inner.slice(start, end))
  }
  return notes
}

/** The footnotes that a text refers to, transitively, in order of reference. */
function notesFor(text: string, notes: ReadonlyMap<string, string>): readonly string[] {
  const named = new Set<string>()
  const pending = [text]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    for (const [, id] of next.matchAll(/ href="#([^"]*)"/g)) {
      if (!notes.has(id!) || named.has(id!)) continue
      named.add(id!)
      pending.push(notes.get(id!)!)
    }
  }
  return [...named].map((id) => notes.get(id)!)
}

/** Returns the top-level elements, in one pass. */
function elementsOf(html: string): readonly HtmlSpan[] {
  const elements: HtmlSpan[] = []
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
