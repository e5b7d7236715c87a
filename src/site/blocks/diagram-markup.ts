/**
 * Mermaid text as SVG, drawn without a browser.
 *
 * The drawing is written anew from the elements and attributes that are named here, so nothing that an author can
 * make the library write reaches the page otherwise: no style, no script, no address. Its colours are custom
 * properties that the style sheet gives values to, in light and dark. Kinds that the library does not know, or
 * knows badly, are left to be shown as their source.
 */
import { createHash } from 'node:crypto'
import type { Element, ElementContent, Nodes, Properties } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { htmlToHast } from 'satteri'

const known = /^(?:graph|flowchart|sequenceDiagram|classDiagram|erDiagram|stateDiagram(?:-v2)?)\b/

/** The library writes a label in one line, and takes these for words. */
const lineBreak = /<br ?\/?>/gi

/** Shapes in a newer spelling, which the library takes for text. */
const newer = /@\{/

/** Loads what draws, and has it draw once: a tenth of a second where nothing else is done, many times that on a busy machine. */
export async function prepareDiagrams(): Promise<void> {
  const { renderMermaid } = await import('beautiful-mermaid')
  await renderMermaid('graph TD\n A --> B')
}

/** Returns the drawing; undefined when the text is of no known kind or cannot be read. Never throws. */
export async function diagramMarkup(text: string): Promise<string | undefined> {
  const source = hideBrackets(drawnLines(text).join('\n').trim().replace(lineBreak, ' '))
  if (!known.test(source) || newer.test(source)) return undefined
  try {
    const { renderMermaid } = await import('beautiful-mermaid')
    return written(await renderMermaid(source, { padding: 8, transparent: true }), text)
  } catch {
    return undefined
  }
}

/** Without front matter, remarks, directives, and what a click does: nothing of a drawing that stands still. */
function drawnLines(text: string): string[] {
  const lines = text.trim().split(/\r\n|[\r\n]/)
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  return lines.slice(end + 1).filter((line) => !/^(?:%%|click\s)/.test(line.trimStart()))
}

/** What the library takes for the end of a label also between quotes, each with a sign of nobody's in its place. */
const brackets = new Map([...'()[]{}|'].map((sign, at) => [sign, String.fromCodePoint(0xf8f0 + at)]))
const signs = new Map([...brackets].map(([sign, stand]) => [stand, sign]))

function hideBrackets(source: string): string {
  return source.replace(/"[^"\n]*"/g, (label) => label.replace(/[()[\]{}|]/g, (sign) => brackets.get(sign)!))
}

/** A label as its author wrote it: without the quotes, which the library shows. */
function labelOf(shown: string): string {
  const label = shown.replace(/[\uf8f0-\uf8f6]/g, (stand) => signs.get(stand)!)
  return label.length > 1 && label.startsWith('"') && label.endsWith('"') ? label.slice(1, -1) : label
}

const elements = new Set(
  'svg g defs marker path polygon polyline line rect circle ellipse text tspan'.split(' '),
)

const number = /^-?[\d.]+(?:em)?$/
const numbers = /^[\d.\s,-]+$/
/** Colours of the style sheet, and the plainest of an author's own. */
const color = /^(?:none|var\(--[a-z_-]+\)|#(?:[\da-f]{3}|[\da-f]{6}))$/i
const word = /^[a-z-]+$/

const properties: Readonly<Record<string, RegExp>> = {
  d: /^[\d.\s,a-zA-Z-]+$/,
  dy: number,
  fill: color,
  fontSize: number,
  fontStyle: word,
  fontWeight: /^(?:\d{3}|bold|normal)$/,
  markerHeight: number,
  markerWidth: number,
  orient: word,
  points: numbers,
  refX: number,
  refY: number,
  stroke: color,
  strokeDashArray: numbers,
  strokeLineCap: word,
  strokeLineJoin: word,
  strokeWidth: number,
  textAnchor: word,
  textDecoration: word,
  transform: /^(?:(?:translate|scale|rotate)\([\d.\s,-]+\)\s?)+$/,
  viewBox: numbers,
  ...Object.fromEntries(
    'width height x y x1 y1 x2 y2 cx cy r rx ry'.split(' ').map((name) => [name, number]),
  ),
}

/** What stands for a colour that cannot be kept. */
const instead: Readonly<Record<string, string>> = { fill: 'var(--_node-fill)', stroke: 'var(--_line)' }

const reference = /^url\(#([\w-]+)\)$/

function written(drawing: string, text: string): string | undefined {
  const svg = findSvg(htmlToHast(drawing) as Nodes)
  if (svg === undefined) return undefined
  // Names in a drawing are the page's own: two diagrams must not share one, nor a heading and an arrow.
  const prefix = `drawing:${createHash('sha256').update(text).digest('base64url').slice(0, 8)}:`
  return toHtml(kept(svg, prefix, undefined), { space: 'svg' })
}

function findSvg(node: Nodes): Element | undefined {
  if (node.type === 'element' && node.tagName === 'svg') return node
  if (!('children' in node)) return undefined
  for (const child of node.children) {
    const found = findSvg(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** `behind` is the author's own colour behind what is written in the element, if there is one. */
function kept(
  { tagName, properties: given, children }: Element,
  prefix: string,
  behind: string | undefined,
): Element {
  const isText = tagName === 'text' || tagName === 'tspan'
  const own: Properties = {}
  for (const [name, value] of Object.entries(given)) {
    const safe = safeValue(name, Array.isArray(value) ? value.join(' ') : String(value), prefix)
    if (safe !== undefined) own[name] = isText && name === 'fill' ? readable(safe, behind) : safe
  }
  const shapes = children.filter((child) => child.type === 'element' && child.tagName !== 'text') as Element[]
  const fills = shapes.map((shape) => String(shape.properties['fill']))
  const inside = fills.find((fill) => fill.startsWith('#') && color.test(fill)) ?? behind
  return {
    type: 'element',
    tagName,
    properties: own,
    children: children.flatMap((child): ElementContent[] => {
      if (child.type === 'element') return elements.has(child.tagName) ? [kept(child, prefix, inside)] : []
      return child.type === 'text' && isText ? [{ ...child, value: labelOf(child.value) }] : []
    }),
  }
}

function safeValue(name: string, value: string, prefix: string): string | undefined {
  if (name === 'id') return /^[\w-]+$/.test(value) ? prefix + value : undefined
  if (name === 'markerStart' || name === 'markerEnd') {
    const target = reference.exec(value)?.[1]
    return target === undefined ? undefined : `url(#${prefix}${target})`
  }
  if (!Object.hasOwn(properties, name)) return undefined
  // Without any colour a shape would be black.
  if (!properties[name]!.test(value)) return instead[name]
  return value.replace(/[\d.]+/g, (digits) => (digits.includes('.') ? shortened(digits) : digits))
}

/** A hundredth of a pixel is more than anybody sees. */
function shortened(digits: string): string {
  return Number.isFinite(Number(digits)) ? String(Math.round(Number(digits) * 100) / 100) : digits
}

/** The author's colours of words were chosen for one theme: on one of theirs words are black or white, else as all are. */
function readable(own: string, behind: string | undefined): string {
  if (behind === undefined) return own.startsWith('#') ? 'var(--_text)' : own
  const hex = behind.length === 4 ? behind.slice(1).replace(/./g, '$&$&') : behind.slice(1)
  const [red, green, blue] = [0, 2, 4].map((at) => (Number.parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2)
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.18 ? '#000' : '#fff'
}
