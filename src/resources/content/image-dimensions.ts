/**
 * Image dimensions in pixels, without decoding: pages reserve the space while an image loads.
 *
 * SVG declares its size in its first tag, which this file parses; a library would render it, with as much
 * time and memory as its author likes. Of raster images the library reads only the header.
 */
import { loadImageLibrary } from '../../store/images/library.js'

export interface Dimensions {
  readonly width?: number
  readonly height?: number
}

const rasters = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
/** Longest plausible side, in pixels. */
const maxSide = 1_000_000

/** Returns the dimensions; empty for other types, damaged images, and images that declare none. */
export async function measureImage(bytes: Uint8Array, contentType: string): Promise<Dimensions> {
  if (contentType === 'image/svg+xml') return measureSvg(bytes)
  if (!rasters.has(contentType)) return {}
  try {
    const library = await loadImageLibrary()
    const { width, height, autoOrient } = await library(bytes).metadata()
    return plausibleDimensions(autoOrient?.width ?? width, autoOrient?.height ?? height)
  } catch {
    // An image that cannot be measured is still stored and served, without dimensions.
    return {}
  }
}

/** Bytes in which the first tag of an SVG must begin: programs write comments and entities before it. */
const headBytes = 64 * 1024

/** Returns the size declared by the first tag of an SVG, in CSS pixels. */
export function measureSvg(bytes: Uint8Array): Dimensions {
  const attributes = rootAttributes(decodeHead(bytes))
  if (attributes === undefined) return {}
  const [width, height] = [pixels(attributes.get('width')), pixels(attributes.get('height'))]
  if (width !== undefined && height !== undefined) return plausibleDimensions(width, height)
  const box = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/, 4)
    .map(Number)
  const [, , across = NaN, down = NaN] = box
  if (!(across > 0 && down > 0)) return {}
  if (width !== undefined) return plausibleDimensions(width, (width * down) / across)
  if (height !== undefined) return plausibleDimensions((height * across) / down, height)
  return plausibleDimensions(across, down)
}

function decodeHead(bytes: Uint8Array): string {
  const head = bytes.subarray(0, headBytes)
  const encoding =
    head[0] === 0xff && head[1] === 0xfe
      ? 'utf-16le'
      : head[0] === 0xfe && head[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(head)
}

/** Returns the attributes of the tag `svg` when only declarations and comments precede it. */
function rootAttributes(text: string): ReadonlyMap<string, string> | undefined {
  let at = 0
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++
    const end = endOfProlog(text, at)
    if (end === undefined) break
    if (end < 0) return undefined
    at = end
  }
  const name = /<(?:[\w.-]+:)?svg(?=[\s/>])/y
  name.lastIndex = at
  if (!name.test(text)) return undefined
  const attributes = new Map<string, string>()
  const attribute = /\s*([^\s=<>/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y
  attribute.lastIndex = name.lastIndex
  for (let found = attribute.exec(text); found !== null; found = attribute.exec(text))
    attributes.set(found[1]!, found[2] ?? found[3]!)
  return attributes
}

/** Returns where the declaration, comment or document type at `at` ends: -1 when it never does, undefined when none is there. */
function endOfProlog(text: string, at: number): number | undefined {
  const endAfter = (mark: string, from: number): number => {
    const found = text.indexOf(mark, from)
    return found < 0 ? -1 : found + mark.length
  }
  if (text.startsWith('<?', at)) return endAfter('?>', at)
  if (text.startsWith('<!--', at)) return endAfter('-->', at + 4)
  if (!/^<!doctype$/i.test(text.slice(at, at + 9))) return undefined
  // Entities are in brackets and contain `>`.
  const [close, bracket] = [endAfter('>', at), text.indexOf('[', at)]
  if (bracket < 0 || close < 0 || bracket > close) return close
  const inner = endAfter(']', bracket)
  return inner < 0 ? -1 : endAfter('>', inner)
}

/** CSS pixels per unit. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  em: 16,
  rem: 16,
}

/** Returns a length in pixels; undefined for percentages and invalid lengths. */
function pixels(length: string | undefined): number | undefined {
  const [, number, unit] =
    /^\s*\+?(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})([a-z]{0,3})\s*$/i.exec(length ?? '') ?? []
  const factor = units[unit?.toLowerCase() ?? 'none']
  return factor === undefined || Number(number) === 0 ? undefined : Number(number) * factor
}

function plausibleDimensions(width: number | undefined, height: number | undefined): Dimensions {
  const isSide = (side: number | undefined): side is number =>
    side !== undefined && side >= 0.5 && side <= maxSide
  return isSide(width) && isSide(height) ? { width: Math.round(width), height: Math.round(height) } : {}
}
