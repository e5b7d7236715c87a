/**
 * Mermaid diagrams as SVG, drawn without a browser.
 *
 * The drawing is rebuilt from an allowlist of elements and attributes, so that no output of the library reaches the
 * page unchecked: no style, no script, no URL. Its colours are custom properties that the style sheet defines for
 * light and dark. Kinds that the library does not support, or supports badly, are rendered as their source.
 */
import { createHash } from 'node:crypto'
import type { Element, ElementContent, Nodes, Properties } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { htmlToHast } from 'satteri'

const supportedKinds = /^(?:graph|flowchart|sequenceDiagram|classDiagram|erDiagram|stateDiagram(?:-v2)?)\b/

/** The library writes a label in one line, and renders these as text. */
const lineBreak = /<br ?\/?>/gi

/** Newer shape syntax, which the library renders as text. */
const newerShapeSyntax = /@\{/

/** Warms up the library: a tenth of a second on an idle machine, many times that on a busy one. */
export async function prepareDiagrams(): Promise<void> {
  const { renderMermaid } = await import('beautiful-mermaid')
  await renderMermaid('graph TD\n A --> B')
}

/** Returns the drawing; undefined when the text is of no known kind or cannot be read. Never throws. */
export async function diagramMarkup(text: string): Promise<string | undefined> {
  const source = hideBrackets(withoutDirectives(text).join('\n').trim().replace(lineBreak, ' '))
  if (!supportedKinds.test(source) || newerShapeSyntax.test(source)) return undefined
  try {
    const { renderMermaid } = await import('beautiful-mermaid')
    return sanitizeDrawing(await renderMermaid(source, { padding: 8, transparent: true }), text)
  } catch {
    return undefined
  }
}

/** Removes front matter, comments, directives and click handlers, which a static drawing does not need. */
function withoutDirectives(text: string): string[] {
  const lines = text.trim().split(/\r\n|[\r\n]/)
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  return lines.slice(end + 1).filter((line) => !/^(?:%%|click\s)/.test(line.trimStart()))
}

/** Characters that end a label for the library even inside quotes, and their private-use replacements. */
const brackets = new Map([...'()[]{}|'].map((sign, at) => [sign, String.fromCodePoint(0xf8f0 + at)]))
const signs = new Map([...brackets].map(([sign, replacement]) => [replacement, sign]))

function hideBrackets(source: string): string {
  return source.replace(/"[^"\n]*"/g, (label) => label.replace(/[()[\]{}|]/g, (sign) => brackets.get(sign)!))
}

/** Returns a label as its author wrote it: without the quotes, which the library renders. */
function labelOf(text: string): string {
  const label = text.replace(/[\uf8f0-\uf8f6]/g, (replacement) => signs.get(replacement)!)
  return label.length > 1 && label.startsWith('"') && label.endsWith('"') ? label.slice(1, -1) : label
}

const elements = new Set(
  'svg g defs marker path polygon polyline line rect circle ellipse text tspan'.split(' '),
)

const number = /^-?[\d.]+(?:em)?$/
const numbers = /^[\d.\s,-]+$/
/** Colours of the style sheet, and hexadecimal colours of authors. */
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

/** Replacements of colours that are not allowed. */
const fallbackColors: Readonly<Record<string, string>> = { fill: 'var(--_node-fill)', stroke: 'var(--_line)' }

const reference = /^url\(#([\w-]+)\)$/

function sanitizeDrawing(drawing: string, text: string): string | undefined {
  const svg = findSvg(htmlToHast(drawing) as Nodes)
  if (svg === undefined) return undefined
  // Ids of a drawing are ids of the page: diagrams, headings and arrows must not share one.
  const prefix = `drawing:${createHash('sha256').update(text).digest('base64url').slice(0, 8)}:`
  return toHtml(sanitizeElement(svg, prefix, undefined), { space: 'svg' })
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

/** `background` is the author's colour behind the text of the element, if there is one. */
function sanitizeElement(
  { tagName, properties: attributes, children }: Element,
  prefix: string,
  background: string | undefined,
): Element {
  const isText = tagName === 'text' || tagName === 'tspan'
  const own: Properties = {}
  for (const [name, value] of Object.entries(attributes)) {
    const safe = safeValue(name, Array.isArray(value) ? value.join(' ') : String(value), prefix)
    if (safe !== undefined) own[name] = isText && name === 'fill' ? readableTextColor(safe, background) : safe
  }
  const shapes = children.filter((child) => child.type === 'element' && child.tagName !== 'text') as Element[]
  const fills = shapes.map((shape) => String(shape.properties['fill']))
  const inside = fills.find((fill) => fill.startsWith('#') && color.test(fill)) ?? background
  return {
    type: 'element',
    tagName,
    properties: own,
    children: children.flatMap((child): ElementContent[] => {
      if (child.type === 'element')
        return elements.has(child.tagName) ? [sanitizeElement(child, prefix, inside)] : []
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
  // Without a colour a shape would be black.
  if (!properties[name]!.test(value)) return fallbackColors[name]
  return value.replace(/[\d.]+/g, (digits) => (digits.includes('.') ? roundedNumber(digits) : digits))
}

/** Rounds to a hundredth of a pixel, which is invisible. */
function roundedNumber(digits: string): string {
  return Number.isFinite(Number(digits)) ? String(Math.round(Number(digits) * 100) / 100) : digits
}

/** Authors choose text colours for one theme: on a background of theirs text is black or white, else the default. */
function readableTextColor(own: string, background: string | undefined): string {
  if (background === undefined) return own.startsWith('#') ? 'var(--_text)' : own
  const hex = background.length === 4 ? background.slice(1).replace(/./g, '$&$&') : background.slice(1)
  const [red, green, blue] = [0, 2, 4].map((at) => (Number.parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2)
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.18 ? '#000' : '#fff'
}
