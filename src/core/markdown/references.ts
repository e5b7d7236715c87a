/**
 * Locates link destinations in the Markdown source. The syntax tree has the URL of a link but not its span; it is
 * searched here, and accepted only when it decodes to exactly that URL.
 */
import type { Reference, Span } from '../document/types.js'
import { decodeEntities } from './entities.js'
import { decodeScalar } from './scalar.js'
import { decodeAttribute } from './tags.js'

export interface Destination {
  readonly span: Span
  readonly syntax: 'inline' | 'angle' | 'definition'
}

/** Returns the URL that the characters of a reference's span decode to. */
export function decodeDestination(characters: string, syntax: Reference['syntax']): string {
  switch (syntax) {
    case 'inline':
    case 'angle':
    case 'definition':
      return decodeEntitiesOutsideEscapes(characters)
    case 'attribute':
      return decodeAttribute(characters)
    case 'yaml':
      return decodeScalar(characters)
  }
}

/** An escaped ampersand does not start an entity. */
function decodeEntitiesOutsideEscapes(characters: string): string {
  if (!characters.includes('\\')) return decodeEntities(characters)
  return characters
    .split(/(\\[!-/:-@[-`{-~])/)
    .map((part, index) => (index % 2 === 1 ? part.slice(1) : decodeEntities(part)))
    .join('')
}

/** Attempts are bounded because the text of an image may contain any number of `](`. */
const maxTries = 64

/**
 * Returns the destination of the link or image that ends at `end`, whose text ends at `from` or later;
 * undefined when it has none that can be replaced (an autolink, a reference link).
 */
export function findDestination(
  source: string,
  from: number,
  end: number,
  url: string,
): Destination | undefined {
  let start = source.indexOf('](', from)
  for (let tries = 0; start >= 0 && start < end && tries < maxTries; tries++) {
    const destination = readDestination(source, start + 2, end - 1, 'inline')
    if (destination && source[end - 1] === ')' && means(source, destination, url)) return destination
    start = source.indexOf('](', start + 2)
  }
  return undefined
}

/** Returns the destination of the definition `[label]: destination "title"` between two offsets. */
export function findDefinition(
  source: string,
  start: number,
  end: number,
  url: string,
): Destination | undefined {
  let colon = source.indexOf(']:', start)
  for (let tries = 0; colon >= 0 && colon < end && tries < maxTries; tries++) {
    const destination = readDestination(source, colon + 2, end, 'definition')
    if (destination && means(source, destination, url)) return destination
    colon = source.indexOf(']:', colon + 2)
  }
  return undefined
}

function means(source: string, { span, syntax }: Destination, url: string): boolean {
  return decodeDestination(source.slice(span.start, span.end), syntax) === url
}

const angle = /\s*<((?:[^<>\\\r\n]|\\.)*)>/y
const bare = /\s*((?:\\[!-/:-@[-`{-~]|[^\s\u0000-\u001f])*)/y

/** After the destination only a title may follow, up to `end`; nothing after `end` is examined. */
function readDestination(
  source: string,
  start: number,
  end: number,
  syntax: 'inline' | 'definition',
): Destination | undefined {
  const part = source.slice(start, end)
  angle.lastIndex = 0
  const pointed = angle.exec(part)
  if (pointed && isTitle(part.slice(angle.lastIndex))) {
    const last = start + angle.lastIndex - 1
    return { span: { start: last - pointed[1]!.length, end: last }, syntax: 'angle' }
  }
  bare.lastIndex = 0
  const plain = bare.exec(part)
  if (!plain || !isTitle(part.slice(bare.lastIndex))) return undefined
  const last = start + bare.lastIndex
  return { span: { start: last - plain[1]!.length, end: last }, syntax }
}

function isTitle(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '') return true
  const pair = trimmed[0]! + trimmed.at(-1)!
  return trimmed.length > 1 && /^\s/.test(text) && (pair === '""' || pair === "''" || pair === '()')
}
