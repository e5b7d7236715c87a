/**
 * Addresses in documents that this program has written: found with their places, so that they can be written anew and
 * everything else stays as it is. HTML comes from our own serialisers: its tags are whole.
 */

/** An address, decoded, and where it stands. */
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

/** By their code: what stands around names in a tag, and what ends a name. A page has a thousand names. */
const [isBetween, isNameEnd] = [new Uint8Array(128), new Uint8Array(128)]
for (const sign of ' \t\n\f\r/') isBetween[sign.charCodeAt(0)] = isNameEnd[sign.charCodeAt(0)] = 1
for (const sign of '"\'<>=') isNameEnd[sign.charCodeAt(0)] = 1

/** Returns where the next name or sign stands. */
function skipBetween(markup: string, from: number): number {
  let at = from
  while (at < markup.length && isBetween[markup.charCodeAt(at)] === 1) at++
  return at
}

/** Returns where a name ends that begins there. */
function skipName(markup: string, from: number): number {
  let at = from
  while (at < markup.length && isNameEnd[markup.charCodeAt(at)] !== 1) at++
  return at
}

// linear: sticky, one loop.
const bareAt = /[^\s>]*/y

/** Finds every address in the tags of an HTML document, in order; values without quotes hold none. */
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
    // What stands in these is no markup.
    const next = element === 'script' || element === 'style' ? `</${element}` : '<'
    at = markup.indexOf(next, end)
  }
  return found
}

/** Reads the attributes of a tag and returns where it ends. */
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

/** Several addresses, each with a width: our own are percent-encoded, so that a space ends them. */
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

// linear: the parts are bounded and have ends of their own.
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

/** Addresses of a style sheet, as `url(…)` with or without quotes. */
export function findStyleAddresses(styles: string): FoundAddress[] {
  return [...styles.matchAll(/url\(["']?([^"')\s]{1,2048})/g)].map((match) => {
    const end = match.index + match[0].length
    const href = match[1]!
    return { start: end - href.length, end, href, element: 'style', attribute: 'url' }
  })
}

/** Every place where a text names an address that begins like this one. */
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

/** The same in what a document tells search engines as data. */
export function findDataAddresses(markup: string, beginning: string): FoundAddress[] {
  const tag = markup.indexOf(dataTag)
  if (tag < 0) return []
  const start = tag + dataTag.length
  const data = markup.slice(start, markup.indexOf('</script', start))
  return findTextAddresses(data, beginning).map((one) => {
    return { ...one, start: one.start + start, end: one.end + start }
  })
}

/** Returns a page without what has its views counted: nobody counts them where there are files alone. */
export function withoutCounting(markup: string): string {
  return markup.replace(/(<article class="content") data-view="[^"]*"/, '$1')
}

/** Returns a page without the question whether it helped: nobody takes the answer where there are files alone. */
export function withoutFeedback(markup: string): string {
  const start = markup.indexOf('<form class="feedback" ')
  const end = markup.indexOf('</form>', start)
  return start < 0 || end < 0 ? markup : markup.slice(0, start) + markup.slice(end + '</form>'.length)
}

/** Returns a page without the action that gives out where language models ask: files answer none. */
export function withoutToolsAction(markup: string): string {
  const at = markup.indexOf(' data-copy-text="')
  const [start, end] = [markup.lastIndexOf('<li>', at), markup.indexOf('</li>', at)]
  return at < 0 || start < 0 || end < 0 ? markup : markup.slice(0, start) + markup.slice(end + '</li>'.length)
}

/** Returns the text with these places (in order, apart) replaced by what is said for each; one for which nothing is stays. */
export function replaceAddresses<Found extends Pick<FoundAddress, 'start' | 'end'>>(
  text: string,
  found: readonly Found[],
  write: (found: Found, index: number) => string | undefined,
): string {
  let [written, at] = ['', 0]
  for (const [index, one] of found.entries()) {
    const said = write(one, index)
    if (said === undefined) continue
    written += text.slice(at, one.start) + said
    at = one.end
  }
  return written + text.slice(at)
}
