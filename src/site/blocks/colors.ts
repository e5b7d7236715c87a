/** Named colours of authors, as classes: the style sheet defines a light and a dark value for each. */

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

/** Returns `text-blue`, `background-primary`, …; undefined for unknown colours. */
export function colorClass(part: 'text' | 'background', color: string | undefined): string | undefined {
  const name = color?.replace(/^\$/, '').toLowerCase()
  return name !== undefined && names.has(name) ? `${part}-${name}` : undefined
}
