/** Marks of CSS declarations. */
import type { Mark } from '../document/types.js'

/** Returns the marks that CSS declarations express. */
export function marksOfStyle(style: string): readonly Mark[] {
  const marks: Mark[] = []
  for (const declaration of style.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, colon).trim()
    const value = declaration.slice(colon + 1).trim()
    if (property === 'font-weight' && /^(?:bold|bolder|[6-9]00)$/.test(value)) marks.push({ type: 'bold' })
    else if (property === 'font-style' && value === 'italic') marks.push({ type: 'italic' })
    else if (property === 'vertical-align' && value === 'super') marks.push({ type: 'superscript' })
    else if (property === 'vertical-align' && value === 'sub') marks.push({ type: 'subscript' })
    else if (property === 'font-family' && /courier|consolas|monospace|menlo|roboto mono/.test(value))
      marks.push({ type: 'code' })
    else if (property === 'background-color' && /^(?:#ffff00|yellow)$/.test(value))
      marks.push({ type: 'color', background: 'yellow' })
    else if (property === 'text-decoration' || property === 'text-decoration-line') {
      if (value.includes('line-through')) marks.push({ type: 'strikethrough' })
      if (value.includes('underline')) marks.push({ type: 'underline' })
    }
  }
  return marks
}
