/** The colours that a writer may name, as classes: the style sheet gives each a light and a dark value. */

const names = new Set([
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'primary',
  'info',
  'success',
  'warning',
  'danger',
])

/** `text-blue`, `background-primary`, …; undefined for a colour that is none of the known ones. */
export function colorClass(part: 'text' | 'background', color: string | undefined): string | undefined {
  const name = color?.replace(/^\$/, '').toLowerCase()
  return name !== undefined && names.has(name) ? `${part}-${name}` : undefined
}
