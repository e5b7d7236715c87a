/** Inline elements of the dialect: icons, emoji, colours, buttons. */
import type { Button, Emoji, Icon, Mark } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import type { ElementNode } from './nodes.js'
import { encodeAttribute } from './entities.js'
import { defined, elementValue, type Reader, referAttribute } from './reader.js'

/** Classes for the style of an icon, not its name. */
const iconStyles = new Set(
  ['solid', 'regular', 'light', 'thin', 'duotone', 'brands', 'sharp', 'fw', 'lg', 'sm'].map(
    (style) => `fa-${style}`,
  ),
)

/** Returns the icon that `<i class="fa-name" style="color:…">`; undefined when it names none. */
export function readIcon(element: ElementNode): Icon | undefined {
  const classes = (elementValue(element, 'class') ?? '').split(/\s+/)
  const icon = classes.find((name) => name.startsWith('fa-') && !iconStyles.has(name))
  return (
    (icon && defined({ type: 'icon' as const, icon: icon.slice(3), color: readStyle(element, 'color') })) ||
    undefined
  )
}

/** Returns the element of an icon. */
export function formatIcon({ icon, color }: Icon): string {
  const style = color === undefined ? '' : ` style="color:${encodeAttribute(color)};"`
  return `<i class="fa-${encodeAttribute(icon)}"${style}></i>`
}

/** Returns the emoji of `<span data-gb-custom-inline data-tag="emoji" data-code="1f600">`. */
export function readEmojiSpan(element: ElementNode): Emoji | undefined {
  const code = elementValue(element, 'data-code')
  return elementValue(element, 'data-tag') === 'emoji' && code && /^[0-9a-f]+(?:-[0-9a-f]+)*$/i.test(code)
    ? { type: 'emoji', code: code.toLowerCase() }
    : undefined
}

/** Returns the colours of `<mark style="color:red;background-color:blue;">`; yellow highlight without a style. */
export function readColor(element: ElementNode): Mark {
  const text = readStyle(element, 'color')
  const background = readStyle(element, 'background-color')
  if (!text && !background) return { type: 'color', background: 'yellow' }
  return defined({ type: 'color' as const, text, background })
}

function readStyle(element: ElementNode, property: string): string | undefined {
  for (const declaration of (elementValue(element, 'style') ?? '').split(';')) {
    const colon = declaration.indexOf(':')
    if (declaration.slice(0, colon).trim().toLowerCase() === property)
      return declaration.slice(colon + 1).trim()
  }
  return undefined
}

/** Returns whether a link or a button element is a button of the dialect. */
export function isButton(element: ElementNode): boolean {
  const classes = (elementValue(element, 'class') ?? '').split(/\s+/)
  return classes.includes('button') || (element.name === 'button' && element.attributes.has('data-action'))
}

/** Returns the button. */
export function readButton(element: ElementNode, reader: Reader): Button {
  const classes = (elementValue(element, 'class') ?? '').split(/\s+/)
  const action = elementValue(element, 'data-action')
  return defined({
    type: 'button' as const,
    label: plainText(reader.inlines(element.children)).trim(),
    kind: classes.includes('secondary') ? ('secondary' as const) : ('primary' as const),
    icon: elementValue(element, 'data-icon'),
    url: referAttribute(reader, 'link', element.attributes.get('href')),
    action: action === 'ask' || action === 'search' ? action : undefined,
    query: elementValue(element, 'data-query'),
  })
}

/** Returns the element of a button. */
export function formatButton({ label, kind, icon, url, action, query }: Button): string {
  const attributes = [
    ['href', url],
    ['class', `button ${kind}`],
    ['data-action', action],
    ['data-query', query],
    ['data-icon', icon],
  ].flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${encodeAttribute(value)}"`]))
  return `<a${attributes.join('')}>${encodeAttribute(label)}</a>`
}
