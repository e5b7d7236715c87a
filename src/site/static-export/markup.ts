/**
 * Link rewriting for the static export: finds the URLs in generated documents with their positions, and replaces them.
 * The HTML comes from our own serialisers, so its tags are well-formed; this is no general HTML parser.
 */

/** A URL, decoded, with its position. */
export interface FoundAddress {
  readonly start: number
  readonly end: number
  readonly href: string
  readonly element: string
  readonly attribute: string
}

const addressed: ReadonlySet<string> = new Set([
  'href',
  'src',
  'srcset',
  'imagesrcset',
  'poster',
  'action',
  'content',
  'data-branch',
  'data-copy-from',
  'data-search',
])

/** Lookup tables by character code: separators between names in a tag, and ends of names. A page has a thousand names. */
const [isBetween, isNameEnd] = [new Uint8Array(128), new Uint8Array(128)]
for (const sign of ' \t\n\f\r/') isBetween[sign.charCodeAt(0)] = isNameEnd[sign.charCodeAt(0)] = 1
for (const sign of '"\'<>=') isNameEnd[sign.charCodeAt(0)] = 1

/** Returns the position of the next name or sign. */
function skipBetween(markup: string, from: number): number {
  let at = from
  while (at < markup.length && isBetween[markup.charCodeAt(at)] === 1) at++
  return at
}

/** Returns the end of the name at a position. */
function skipName(markup: string, from: number): number {
  let at = from
  while (at < markup.length && isNameEnd[markup.charCodeAt(at)] !== 1) at++
  return at
}

// linear: sticky, one loop.
const bareAt = /[^\s>]*/y

/** Finds every URL in the tags of an HTML document, in order; ignores unquoted values. */
export function findAddresses(markup: string): FoundAddress[] {
  const found: FoundAddress[] = []
  let at = markup.indexOf('<')
  while (at >= 0) {
    if (markup.startsWith('<!--', at)) {
      const end = markup.indexOf('-->', at + 4)
      at = end < 0 ? -1 : markup.indexOf('<', end)
      continue
    }
    const named = skipName(markup, at + 1)
    if (named === at + 1) {
      at = markup.indexOf('<', at + 1)
      continue
    }
    const element = markup.slice(at + 1, named).toLowerCase()
    const end = readTag(markup, named, element, found)
    // The content of these elements is no markup.
    const next = element === 'script' || element === 'style' ? `</${element}` : '<'
    at = markup.indexOf(next, end)
  }
  return found
}

/** Reads the attributes of a tag and returns its end. */
function readTag(markup: string, from: number, element: string, found: FoundAddress[]): number {
  let at = from
  for (;;) {
    const begin = skipBetween(markup, at)
    at = skipName(markup, begin)
    if (at === begin) return begin
    const attribute = markup.slice(begin, at).toLowerCase()
    if (markup[at] !== '=') continue
    const quote = markup[at + 1]
    if (quote !== '"' && quote !== "'") {
      bareAt.lastIndex = at + 1
      bareAt.exec(markup)
      at = bareAt.lastIndex
      continue
    }
    const start = at + 2
    const end = markup.indexOf(quote, start)
    if (end < 0) return markup.length
    at = end + 1
    if (!addressed.has(attribute)) continue
    const value = markup.slice(start, end)
    if (attribute.endsWith('srcset')) found.push(...addressesOfSet(value, { start, element, attribute }))
    else found.push({ start, end, href: decodeEntities(value), element, attribute })
  }
}

/** The URLs of a srcset, each with a width: ours are percent-encoded, so a space ends them. */
function addressesOfSet(
  value: string,
  { start, element, attribute }: Pick<FoundAddress, 'start' | 'element' | 'attribute'>,
): FoundAddress[] {
  let at = start
  return value.split(',').flatMap((one) => {
    const begin = at + one.length - one.trimStart().length
    at += one.length + 1
    const [href = ''] = one.trimStart().split(' ')
    if (href === '') return []
    return [{ start: begin, end: begin + href.length, href: decodeEntities(href), element, attribute }]
  })
}

// linear: the parts are bounded and delimited.
const entity = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entity, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()]!
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** Finds the URLs of a style sheet, as `url(…)` with or without quotes. */
export function findStyleAddresses(styles: string): FoundAddress[] {
  return [...styles.matchAll(/url\(["']?([^"')\s]{1,2048})/g)].map((match) => {
    const end = match.index + match[0].length
    const href = match[1]!
    return { start: end - href.length, end, href, element: 'style', attribute: 'url' }
  })
}

/** Finds the URLs in a text that start with `beginning`. */
export function findTextAddresses(text: string, beginning: string): FoundAddress[] {
  const found: FoundAddress[] = []
  // linear: sticky, one loop.
  const more = /[^\s<>()[\]"'`\\]*/y
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at)) {
    more.lastIndex = at + beginning.length
    more.exec(text)
    const end = more.lastIndex
    found.push({ start: at, end, href: text.slice(at, end), element: '', attribute: '' })
    at = end
  }
  return found
}

const dataTag = '<script type="application/ld+json">'

/** Finds the URLs in the JSON-LD of a document that start with `beginning`. */
export function findDataAddresses(markup: string, beginning: string): FoundAddress[] {
  const tag = markup.indexOf(dataTag)
  if (tag < 0) return []
  const start = tag + dataTag.length
  const data = markup.slice(start, markup.indexOf('</script', start))
  return findTextAddresses(data, beginning).map((one) => {
    return { ...one, start: one.start + start, end: one.end + start }
  })
}

/** Returns a page without view counting: a static export has no server for it. */
export function withoutCounting(markup: string): string {
  return markup.replace(/(<article class="content") data-view="[^"]*"/, '$1')
}

/** Returns a page without its feedback form: a static export has no server for it. */
export function withoutFeedback(markup: string): string {
  const start = markup.indexOf('<form class="feedback" ')
  const end = markup.indexOf('</form>', start)
  return start < 0 || end < 0 ? markup : markup.slice(0, start) + markup.slice(end + '</form>'.length)
}

/** Returns a page without the action that copies the MCP address: a static export has no server for it. */
export function withoutMcpAction(markup: string): string {
  const at = markup.indexOf(' data-copy-text="')
  const [start, end] = [markup.lastIndexOf('<li>', at), markup.indexOf('</li>', at)]
  return at < 0 || start < 0 || end < 0 ? markup : markup.slice(0, start) + markup.slice(end + '</li>'.length)
}

/** Returns the text with spans (ordered, disjoint) replaced by what `write` returns for each; undefined leaves one unchanged. */
export function replaceAddresses<Found extends Pick<FoundAddress, 'start' | 'end'>>(
  text: string,
  found: readonly Found[],
  write: (found: Found, index: number) => string | undefined,
): string {
  let [written, at] = ['', 0]
  for (const [index, one] of found.entries()) {
    const replacement = write(one, index)
    if (replacement === undefined) continue
    written += text.slice(at, one.start) + replacement
    at = one.end
  }
  return written + text.slice(at)
}
