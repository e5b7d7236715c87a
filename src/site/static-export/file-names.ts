/**
 * Names of files for the addresses of a site: each address has one, whatever its characters are, and no two are one
 * file, also where a file system tells neither cases nor spellings of a letter apart. None leads out of its folder.
 *
 * A page is the `index.html` of a folder of its name; everything else is a file.
 */
import { createHash } from 'node:crypto'
import { decodePercent } from '../../core/links/resolve.js'

export interface FileNames {
  /** The folder of a page, by its path (percent-encoded, without slashes at its ends): '' or ending with a slash. */
  folder(path: string): string
  /** The file of anything else; `asked` parts addresses that differ in their query alone. */
  file(path: string, asked?: string): string
}

/** Bytes of one name: file systems allow 255, and some programs put something before or behind it. */
const longestName = 120
/** What Windows keeps for itself, with any ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** What some file system or the address of a file cannot hold. */
// linear: one character.
const loneHalf = /[\ud800-\udfff]/gu
// linear: one character.
const unsafe = /[\u0000-\u001f\u007f<>:"/\\|?*#%]/g

/** `taken` are files at the top that somebody else writes. */
export function createFileNames(taken: readonly string[] = []): FileNames {
  const used = new Set([...taken, 'index.html'].map(sameName))
  const folders = new Map<string, string>([['', '']])
  const files = new Map<string, string>()
  /** The last number of names that many wanted: looked for from there, or a thousand alike take a million looks. */
  const numbers = new Map<string, number>()

  /** A name in a folder that nothing has yet. */
  function claim(folder: string, wanted: string): string {
    const dot = wanted.lastIndexOf('.')
    const [stem, ending] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, '']
    const alike = sameName(folder + wanted)
    let name = wanted
    let count = numbers.get(alike) ?? 1
    while (used.has(sameName(folder + name))) name = `${stem}~${(count += 1)}${ending}`
    if (count > 1) numbers.set(alike, count)
    used.add(sameName(folder + name))
    return folder + name
  }

  function folder(path: string): string {
    const known = folders.get(path)
    if (known !== undefined) return known
    // From the top, without recursion: an address may have a thousand parts.
    let [above, at] = ['', 0]
    for (;;) {
      const slash = path.indexOf('/', at)
      const whole = slash < 0 ? path : path.slice(0, slash)
      let made = folders.get(whole)
      if (made === undefined) {
        made = `${claim(above, safeName(whole.slice(at)))}/`
        used.add(sameName(`${made}index.html`))
        folders.set(whole, made)
      }
      if (slash < 0) return made
      above = made
      at = slash + 1
    }
  }

  return {
    folder,
    file(path, asked = '') {
      const key = `${path}?${asked}`
      const known = files.get(key)
      if (known !== undefined) return known
      const slash = path.lastIndexOf('/')
      const name = safeName(path.slice(slash + 1))
      const wanted = asked === '' ? name : beforeEnding(name, `-${shortHash(asked)}`)
      const made = claim(slash < 0 ? '' : folder(path.slice(0, slash)), wanted)
      files.set(key, made)
      return made
    },
  }
}

/** As the least exact file system compares. */
function sameName(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** A part of an address as a name of its own in a folder. */
export function safeName(part: string): string {
  const written = decodePercent(part).replace(loneHalf, '_').normalize('NFC').replace(unsafe, '_')
  // What begins with a dot is served by nobody; what ends with one, or with a space, loses it on Windows.
  const kept = written.replace(/^\./, '_').replace(/[. ]$/, '_')
  const name = kept === '' || devices.test(kept) ? `_${kept}` : kept
  if (Buffer.byteLength(name) <= longestName) return name
  const ending = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? ''
  return `${name.slice(0, longestName / 6).replace(loneHalf, '')}-${shortHash(name)}${ending}`
}

function beforeEnding(name: string, addition: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) + addition + name.slice(dot) : name + addition
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** The way from one file to another, both seen from the top of the same folder; a page is its folder. */
export function relativeWay(from: string, to: string): string {
  let same = 0
  for (let slash = to.indexOf('/'); slash >= 0; slash = to.indexOf('/', same)) {
    if (!from.startsWith(to.slice(same, slash + 1), same)) break
    same = slash + 1
  }
  let way = ''
  for (let slash = from.indexOf('/', same); slash >= 0; slash = from.indexOf('/', slash + 1)) way += '../'
  way += encodeWay(to.slice(same))
  // A way that is empty is the folder itself.
  return way === '' ? './' : way
}

/** Most names are written as they are: a page names hundreds of them. */
function encodeWay(way: string): string {
  return /^[\w./~-]*$/.test(way) ? way : way.split('/').map(encodeURIComponent).join('/')
}
