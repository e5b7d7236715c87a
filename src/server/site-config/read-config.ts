/**
 * The structure of a site as it is written beside the folders of its spaces: `structure.json`, as the API gives it.
 * Read as what somebody else wrote: what is not understood is refused with its place in the file.
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMapping } from '../../core/mapping.js'

/** Thrown with a sentence for the person at the keyboard. */
export class ConfigRefused extends Error {}

export interface ConfiguredVariant {
  readonly path: string
  readonly title: string | undefined
  readonly isDefault: boolean
  readonly isHidden: boolean
  readonly isDraft: boolean
  readonly condition: string | undefined
  readonly space: {
    /** Where it came from. */
    readonly id: string | undefined
    readonly title: string
    readonly emoji: string | undefined
    readonly language: string | undefined
  }
  /** Where its content lies; undefined where there is none. */
  readonly folder: string | undefined
}

export interface ConfiguredSection {
  readonly kind: 'section'
  readonly title: string
  readonly path: string
  readonly icon: string | undefined
  readonly description: string | undefined
  readonly condition: string | undefined
  readonly isDefault: boolean
  readonly isDraft: boolean
  readonly variants: readonly ConfiguredVariant[]
}

export interface ConfiguredGroup {
  readonly kind: 'group'
  readonly title: string
  readonly icon: string | undefined
  readonly children: readonly ConfiguredNode[]
}

export type ConfiguredNode = ConfiguredSection | ConfiguredGroup

export interface SiteConfig {
  /** The last part of the site's address, where the file tells it. */
  readonly basename: string | undefined
  readonly title: string
  /** What `customization.json` says of its looks; undefined where there is none. */
  readonly looks: Members | undefined
  readonly nodes: readonly ConfiguredNode[]
  /** Of a site without sections. */
  readonly variants: readonly ConfiguredVariant[]
}

/** Bytes of a file of settings. */
const largestFile = 10_000_000
/** How deep the folders of spaces may lie. */
const deepest = 4
const mostFolders = 10_000

/** Reads what stands in a folder; throws `ConfigRefused` for what is no structure of a site. */
export async function readSiteConfig(folder: string, title: string): Promise<SiteConfig> {
  const structure = objectAt(await readJson(join(folder, 'structure.json')), 'structure.json')
  const folders = await findContents(folder)
  const items = listAt(structure['structure'], 'structure')
  const hasSections = structure['type'] === 'sections'
  if (!hasSections && structure['type'] !== 'siteSpaces')
    throw new ConfigRefused('structure.json: "type" is to be "sections" or "siteSpaces".')
  const nodes = hasSections ? items.map((item, at) => readNode(item, `structure[${at}]`, folders)) : []
  const variants = hasSections
    ? []
    : items.map((item, at) => readVariant(item, `structure[${at}]`, { folders, section: undefined }))
  const looks = await readLooks(folder)
  const named = textAt(looks?.['title'], 'title', 'customization.json')
  return { basename: basenameOf(items), title: named ?? title, looks, nodes, variants }
}

/** True when there is a folder for any of the spaces. */
export function hasContent({ nodes, variants }: Pick<SiteConfig, 'nodes' | 'variants'>): boolean {
  const isFilled = (node: ConfiguredNode): boolean =>
    node.kind === 'group'
      ? node.children.some(isFilled)
      : node.variants.some(({ folder }) => folder !== undefined)
  return variants.some(({ folder }) => folder !== undefined) || nodes.some(isFilled)
}

async function readLooks(folder: string): Promise<Members | undefined> {
  try {
    return objectAt(await readJson(join(folder, 'customization.json')), 'customization.json')
  } catch (error) {
    if (error instanceof ConfigRefused && error.cause === 'absent') return undefined
    throw error
  }
}

async function readJson(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new ConfigRefused(`There is no ${path}.`, { cause: 'absent' })
  })
  if (bytes.length > largestFile) throw new ConfigRefused(`${path} is too large to be settings of a site.`)
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new ConfigRefused(`${path} is no JSON.`)
  }
}

/** Lists the folders that hold content of a space, by their parts; the topmost of each branch alone. */
async function findContents(root: string): Promise<readonly string[]> {
  const found: string[] = []
  let level = ['']
  for (let depth = 0; depth <= deepest && level.length > 0; depth += 1) {
    const next: string[] = []
    for (const folder of level) {
      const entries = await readdir(join(root, folder), { withFileTypes: true })
      if (folder !== '' && entries.some((entry) => entry.isFile() && entry.name === 'SUMMARY.md')) {
        found.push(folder)
        continue
      }
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
          next.push(folder === '' ? entry.name : `${folder}/${entry.name}`)
    }
    if (next.length > mostFolders) throw new ConfigRefused(`${root} holds too many folders.`)
    level = next
  }
  return found.map((folder) => join(root, folder))
}

export type Members = Readonly<Record<string, unknown>>

function objectAt(value: unknown, place: string): Members {
  if (!isMapping(value)) throw new ConfigRefused(`${place} is to be an object.`)
  return value
}

function listAt(value: unknown, place: string): readonly Members[] {
  if (!Array.isArray(value)) throw new ConfigRefused(`structure.json: "${place}" is to be a list.`)
  return value.map((item, at) => objectAt(item, `structure.json: "${place}[${at}]"`))
}

function textAt(value: unknown, place: string, file = 'structure.json'): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw new ConfigRefused(`${file}: "${place}" is to be a text.`)
}

function requiredAt(value: unknown, place: string): string {
  const text = textAt(value, place)
  if (text === undefined) throw new ConfigRefused(`structure.json: "${place}" is missing.`)
  return text
}

function readNode(item: Members, place: string, folders: readonly string[], depth = 1): ConfiguredNode {
  const title = requiredAt(item['title'], `${place}.title`)
  const icon = textAt(item['icon'], `${place}.icon`)
  if (item['object'] === 'site-section-group') {
    if (depth > deepest) throw new ConfigRefused(`structure.json: "${place}" stands too deep.`)
    const member = item['children'] === undefined ? 'sections' : 'children'
    const children = listAt(item[member], `${place}.${member}`)
    return {
      kind: 'group',
      title,
      icon,
      children: children.map((child, at) => readNode(child, `${place}.${member}[${at}]`, folders, depth + 1)),
    }
  }
  const path = requiredAt(item['path'], `${place}.path`)
  return {
    kind: 'section',
    title,
    path,
    icon,
    description: textAt(item['description'], `${place}.description`),
    condition: textAt(item['condition'], `${place}.condition`),
    isDefault: item['default'] === true,
    isDraft: item['draft'] === true,
    variants: listAt(item['siteSpaces'], `${place}.siteSpaces`).map((variant, at) =>
      readVariant(variant, `${place}.siteSpaces[${at}]`, { folders, section: path }),
    ),
  }
}

function readVariant(
  item: Members,
  place: string,
  { folders, section }: { readonly folders: readonly string[]; readonly section: string | undefined },
): ConfiguredVariant {
  const space = objectAt(item['space'], `structure.json: "${place}.space"`)
  const path = requiredAt(item['path'], `${place}.path`)
  const isDefault = item['default'] === true
  return {
    path,
    title: textAt(item['title'], `${place}.title`),
    isDefault,
    isHidden: item['hidden'] === true,
    isDraft: item['draft'] === true,
    condition: textAt(item['condition'], `${place}.condition`),
    space: {
      id: textAt(space['id'], `${place}.space.id`),
      title: requiredAt(space['title'], `${place}.space.title`),
      emoji: textAt(space['emoji'], `${place}.space.emoji`),
      language: textAt(space['language'], `${place}.space.language`),
    },
    folder: folderOf(folders, { section, path, isDefault }),
  }
}

/** The content of a variant lies in `<section>/<variant>`, that of a default one in `<section>` too, however deep. */
function folderOf(
  folders: readonly string[],
  { section, path, isDefault }: { section: string | undefined; path: string; isDefault: boolean },
): string | undefined {
  const ends = (name: string) =>
    folders.find((folder) => `/${folder}`.toLowerCase().endsWith(`/${name.toLowerCase()}`))
  if (section === undefined) return ends(path)
  return ends(`${section}/${path}`) ?? (isDefault ? ends(section) : undefined)
}

/** The site's own name is the first part of the path at which a section of it stands. */
function basenameOf(items: readonly Members[]): string | undefined {
  for (const item of items) {
    const urls = item['urls']
    const url = typeof urls === 'object' && urls !== null ? (urls as Members)['published'] : undefined
    if (typeof url !== 'string' || !URL.canParse(url)) continue
    const parts = new URL(url).pathname.split('/')
    const name = parts.find((part) => part !== '' && !part.startsWith('@'))
    if (name !== undefined && /^[a-z0-9][a-z0-9-]{0,99}$/.test(name)) return name
  }
  return undefined
}
