/**
 * File names of the static export: each address gets one, whatever its characters, and no two collide, even on file
 * systems that ignore case and Unicode normalization. No path traversal out of the folder.
 *
 * A page is the `index.html` of a folder with its name; all else is a file.
 */
import { createHash } from 'node:crypto'
import { decodePercent } from '../../core/links/resolve.js'

export interface FileNames {
  /** Returns the folder of a page by its path (percent-encoded, without slashes at its ends): '' or ending with a slash. */
  folder(path: string): string
  /** Returns the file of any other address; `query` distinguishes addresses of one path. */
  file(path: string, query?: string): string
}

/** Bytes of one name: file systems allow 255, and some programs add a prefix or suffix. */
const maxNameLength = 120
/** Device names that Windows reserves, with any extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Characters that some file system or a file URL cannot contain. */
// linear: one character.
const loneHalf = /[\ud800-\udfff]/gu
// linear: one character.
const unsafe = /[\u0000-\u001f\u007f<>:"/\\|?*#%]/g

/** Returns an empty allocator; `reserved` are top-level files that the caller writes itself. */
export function createFileNames(reserved: readonly string[] = []): FileNames {
  const used = new Set([...reserved, 'index.html'].map(sameName))
  const folders = new Map<string, string>([['', '']])
  const files = new Map<string, string>()
  /** The last number used per name: without it, a thousand equal names take a million lookups. */
  const numbers = new Map<string, number>()

  /** Reserves a free name in a folder. */
  function claim(folder: string, wanted: string): string {
    const dot = wanted.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, '']
    const sameKey = sameName(folder + wanted)
    let name = wanted
    let count = numbers.get(sameKey) ?? 1
    while (used.has(sameName(folder + name))) name = `${stem}~${(count += 1)}${ending}`
    if (count > 1) numbers.set(sameKey, count)
    used.add(sameName(folder + name))
    return folder + name
  }

  function folder(path: string): string {
    const known = folders.get(path)
    if (known !== undefined) return known
    // Iterative: an address may have a thousand parts.
    let [above, at] = ['', 0]
    for (;;) {
      const slash = path.indexOf('/', at)
      const whole = slash < 0 ? path : path.slice(0, slash)
      let created = folders.get(whole)
      if (created === undefined) {
        created = `${claim(above, safeName(whole.slice(at)))}/`
        used.add(sameName(`${created}index.html`))
        folders.set(whole, created)
      }
      if (slash < 0) return created
      above = created
      at = slash + 1
    }
  }

  return {
    folder,
    file(path, query = '') {
      const key = `${path}?${query}`
      const known = files.get(key)
      if (known !== undefined) return known
      const slash = path.lastIndexOf('/')
      const name = safeName(path.slice(slash + 1))
      const wanted = query === '' ? name : beforeEnding(name, `-${shortHash(query)}`)
      const created = claim(slash < 0 ? '' : folder(path.slice(0, slash)), wanted)
      files.set(key, created)
      return created
    },
  }
}

/** The name as the least exact file system compares it. */
function sameName(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** Returns a safe file name for a part of an address. */
export function safeName(part: string): string {
  const written = decodePercent(part).replace(loneHalf, '_').normalize('NFC').replace(unsafe, '_')
  // Web servers do not serve dotfiles; Windows strips a dot or space at the end.
  const cleaned = written.replace(/^\./, '_').replace(/[. ]$/, '_')
  const name = cleaned === '' || devices.test(cleaned) ? `_${cleaned}` : cleaned
  if (Buffer.byteLength(name) <= maxNameLength) return name
  const ending = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? ''
  return `${name.slice(0, maxNameLength / 6).replace(loneHalf, '')}-${shortHash(name)}${ending}`
}

function beforeEnding(name: string, addition: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) + addition + name.slice(dot) : name + addition
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Returns the relative URL from one file to another, both relative to the same folder; a page is its folder. */
export function relativePath(from: string, to: string): string {
  let same = 0
  for (let slash = to.indexOf('/'); slash >= 0; slash = to.indexOf('/', same)) {
    if (!from.startsWith(to.slice(same, slash + 1), same)) break
    same = slash + 1
  }
  let relative = ''
  for (let slash = from.indexOf('/', same); slash >= 0; slash = from.indexOf('/', slash + 1))
    relative += '../'
  relative += encodeRelativePath(to.slice(same))
  // An empty path would be the file itself, not its folder.
  return relative === '' ? './' : relative
}

/** Fast path: most names need no encoding, and a page has hundreds of them. */
function encodeRelativePath(relative: string): string {
  return /^[\w./~-]*$/.test(relative) ? relative : relative.split('/').map(encodeURIComponent).join('/')
}
