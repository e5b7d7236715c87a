/** RFC 3986 resolution of references between schemas. The addresses are never fetched. */

interface Parts {
  readonly scheme: string
  readonly authority: string | undefined
  readonly path: string
  readonly query: string
}

/** Returns a reference, without its fragment, as seen from a base. */
export function resolveUri(base: string, reference: string): string {
  const to = partsOf(reference)
  const from = partsOf(base)
  if (to.scheme !== '') return format(to, to.path)
  if (to.authority !== undefined) return format({ ...to, scheme: from.scheme }, to.path)
  if (to.path === '') return format({ ...from, query: to.query || from.query }, from.path)
  const path = to.path.startsWith('/')
    ? to.path
    : from.path.slice(0, from.path.lastIndexOf('/') + 1) + to.path
  return format({ ...from, query: to.query }, path)
}

/** Returns a reference and its fragment, empty where it has none. */
export function splitFragment(reference: string): readonly [uri: string, fragment: string] {
  const at = reference.indexOf('#')
  return at < 0 ? [reference, ''] : [reference.slice(0, at), reference.slice(at + 1)]
}

function partsOf(text: string): Parts {
  const [uri] = splitFragment(text)
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:/i.exec(uri) ?? []
  const rest = uri.slice(scheme.length)
  const mark = rest.indexOf('?')
  const whole = mark < 0 ? rest : rest.slice(0, mark)
  const query = mark < 0 ? '' : rest.slice(mark)
  if (!whole.startsWith('//')) return { scheme, authority: undefined, path: whole, query }
  const slash = whole.indexOf('/', 2)
  const end = slash < 0 ? whole.length : slash
  return { scheme, authority: whole.slice(0, end), path: whole.slice(end), query }
}

function format({ scheme, authority = '', query }: Parts, path: string): string {
  return scheme + authority + withoutDots(path) + query
}

function withoutDots(path: string): string {
  if (!path.includes('.')) return path
  const parts = path.split('/')
  const segments: string[] = []
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (part === '..' && segments.length > 1) segments.pop()
    if (part !== '.' && part !== '..') segments.push(part)
    else if (isLast) segments.push('')
  }
  return segments.join('/')
}
