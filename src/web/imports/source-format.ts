/** Format of chosen files, recognized by their names: that of a single document, or of the tree in a folder or zip. */
import type { ImportFileSource } from '../../contract/imports.js'

/** Extensions of single documents. */
const documents: Readonly<Record<string, ImportFileSource>> = {
  docx: 'docx',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'markdown',
  html: 'html',
  htm: 'html',
}

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

/** Returns the format of a single document, undefined for a zip and other files. */
export const formatOfDocument = (name: string): ImportFileSource | undefined => documents[extensionOf(name)]

/** Returns the format of a tree by the paths of its files; "zip" is Markdown. */
export function formatOfTree(paths: readonly string[]): ImportFileSource {
  const endings = new Map<string, number>()
  let [confluence, notion] = [0, 0]
  for (const path of paths) {
    const extension = extensionOf(path)
    const name = path.slice(path.lastIndexOf('/') + 1)
    endings.set(extension, (endings.get(extension) ?? 0) + 1)
    // Both put the id of a page into its file name.
    if (/[ -][0-9a-f]{32}\.(?:md|html|csv)$/.test(name)) notion++
    if (name === 'entities.xml' || /_\d{4,}\.html$/.test(name)) confluence++
  }
  const count = (...extensions: readonly string[]) =>
    extensions.reduce((sum, extension) => sum + (endings.get(extension) ?? 0), 0)
  if (notion > 0) return 'notion'
  if (confluence > 0) return 'confluence'
  if (paths.some((path) => path.endsWith('_Sidebar.md'))) return 'github-wiki'
  const markdown = count('md', 'markdown')
  if (count('html', 'htm') > markdown) return 'html'
  return count('docx') > markdown ? 'docx' : 'zip'
}

/** Bytes of the longest comment at the end of a zip, with the record before it. */
const longestEnd = 65_557
const largestDirectory = 4_000_000

/** Returns the paths in a zip from its directory at the end; none when it cannot be read. */
export async function pathsInZip(file: Blob): Promise<readonly string[]> {
  const end = await viewOf(file.slice(Math.max(0, file.size - longestEnd)))
  let at = end.byteLength - 22
  while (at >= 0 && end.getUint32(at, true) !== 0x06054b50) at--
  if (at < 0) return []
  const [size, offset] = [end.getUint32(at + 12, true), end.getUint32(at + 16, true)]
  const directory = await viewOf(file.slice(offset, offset + Math.min(size, largestDirectory)))
  const paths: string[] = []
  const decoder = new TextDecoder()
  for (let entry = 0; entry + 46 <= directory.byteLength;) {
    if (directory.getUint32(entry, true) !== 0x02014b50) break
    const length = directory.getUint16(entry + 28, true)
    const name = new Uint8Array(
      directory.buffer,
      entry + 46,
      Math.min(length, directory.byteLength - entry - 46),
    )
    paths.push(decoder.decode(name))
    entry += 46 + length + directory.getUint16(entry + 30, true) + directory.getUint16(entry + 32, true)
  }
  return paths
}

const viewOf = async (blob: Blob): Promise<DataView<ArrayBuffer>> => new DataView(await blob.arrayBuffer())
