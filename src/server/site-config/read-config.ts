/**
 * Parser of a site configuration: `structure.json`, in the format of the API, beside the folders of the spaces' content.
 * The input is untrusted: what does not match the format is refused with its location in the file.
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isMapping } from '../../core/mapping.js'

/** Thrown with a message for the person who runs the command. */
export class SiteConfigRefused extends Error {}

export interface ConfiguredVariant {
  readonly path: string
  readonly title: string | undefined
  readonly isDefault: boolean
  readonly isHidden: boolean
  readonly isDraft: boolean
  readonly condition: string | undefined
  readonly space: {
    /** The id of the original space. */
    readonly id: string | undefined
    readonly title: string
    readonly emoji: string | undefined
    readonly language: string | undefined
  }
  /** The folder of its content; undefined where there is none. */
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
  /** The last part of the site's address, where the file contains it. */
  readonly basename: string | undefined
  readonly title: string
  /** The content of `customization.json`; undefined where there is none. */
  readonly customization: ConfigObject | undefined
  readonly nodes: readonly ConfiguredNode[]
  /** Variants of a site without sections. */
  readonly variants: readonly ConfiguredVariant[]
}

/** Bytes of a configuration file. */
const maxFileBytes = 10_000_000
/** Levels of folders that are searched, and of section groups. */
const maxDepth = 4
const maxFolders = 10_000

/** Reads the configuration in a folder; throws `SiteConfigRefused` for what is no structure of a site. */
export async function readSiteConfig(folder: string, title: string): Promise<SiteConfig> {
  const structure = objectAt(await readJson(join(folder, 'structure.json')), 'structure.json')
  const folders = await findContentFolders(folder)
  const items = listAt(structure['structure'], 'structure')
  const hasSections = structure['type'] === 'sections'
  if (!hasSections && structure['type'] !== 'siteSpaces')
    throw new SiteConfigRefused('structure.json: "type" is to be "sections" or "siteSpaces".')
  const nodes = hasSections ? items.map((item, at) => readNode(item, `structure[${at}]`, folders)) : []
  const variants = hasSections
    ? []
    : items.map((item, at) => readVariant(item, `structure[${at}]`, { folders, section: undefined }))
  const customization = await readCustomization(folder)
  const ownTitle = textAt(customization?.['title'], 'title', 'customization.json')
  return { basename: basenameOf(items), title: ownTitle ?? title, customization, nodes, variants }
}

/** Returns whether any of the spaces has a folder of content. */
export function hasContent({ nodes, variants }: Pick<SiteConfig, 'nodes' | 'variants'>): boolean {
  const hasFolder = (node: ConfiguredNode): boolean =>
    node.kind === 'group'
      ? node.children.some(hasFolder)
      : node.variants.some(({ folder }) => folder !== undefined)
  return variants.some(({ folder }) => folder !== undefined) || nodes.some(hasFolder)
}

async function readCustomization(folder: string): Promise<ConfigObject | undefined> {
  try {
    return objectAt(await readJson(join(folder, 'customization.json')), 'customization.json')
  } catch (error) {
    if (error instanceof SiteConfigRefused && error.cause === 'absent') return undefined
    throw error
  }
}

async function readJson(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new SiteConfigRefused(`There is no ${path}.`, { cause: 'absent' })
  })
  if (bytes.length > maxFileBytes)
    throw new SiteConfigRefused(`${path} is too large to be settings of a site.`)
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new SiteConfigRefused(`${path} is no JSON.`)
  }
}

/** Lists the topmost folders with the content of a space, which have a `SUMMARY.md`. */
async function findContentFolders(root: string): Promise<readonly string[]> {
  const found: string[] = []
  let level = ['']
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
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
    if (next.length > maxFolders) throw new SiteConfigRefused(`${root} holds too many folders.`)
    level = next
  }
  return found.map((folder) => join(root, folder))
}

export type ConfigObject = Readonly<Record<string, unknown>>

function objectAt(value: unknown, location: string): ConfigObject {
  if (!isMapping(value)) throw new SiteConfigRefused(`${location} is to be an object.`)
  return value
}

function listAt(value: unknown, location: string): readonly ConfigObject[] {
  if (!Array.isArray(value)) throw new SiteConfigRefused(`structure.json: "${location}" is to be a list.`)
  return value.map((item, at) => objectAt(item, `structure.json: "${location}[${at}]"`))
}

function textAt(value: unknown, location: string, file = 'structure.json'): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw new SiteConfigRefused(`${file}: "${location}" is to be a text.`)
}

function requiredAt(value: unknown, location: string): string {
  const text = textAt(value, location)
  if (text === undefined) throw new SiteConfigRefused(`structure.json: "${location}" is missing.`)
  return text
}

function readNode(
  item: ConfigObject,
  location: string,
  folders: readonly string[],
  depth = 1,
): ConfiguredNode {
  const title = requiredAt(item['title'], `${location}.title`)
  const icon = textAt(item['icon'], `${location}.icon`)
  if (item['object'] === 'site-section-group') {
    if (depth > maxDepth) throw new SiteConfigRefused(`structure.json: "${location}" stands too deep.`)
    const member = item['children'] === undefined ? 'sections' : 'children'
    const children = listAt(item[member], `${location}.${member}`)
    return {
      kind: 'group',
      title,
      icon,
      children: children.map((child, at) =>
        readNode(child, `${location}.${member}[${at}]`, folders, depth + 1),
      ),
    }
  }
  const path = requiredAt(item['path'], `${location}.path`)
  return {
    kind: 'section',
    title,
    path,
    icon,
    description: textAt(item['description'], `${location}.description`),
    condition: textAt(item['condition'], `${location}.condition`),
    isDefault: item['default'] === true,
    isDraft: item['draft'] === true,
    variants: listAt(item['siteSpaces'], `${location}.siteSpaces`).map((variant, at) =>
      readVariant(variant, `${location}.siteSpaces[${at}]`, { folders, section: path }),
    ),
  }
}

function readVariant(
  item: ConfigObject,
  location: string,
  { folders, section }: { readonly folders: readonly string[]; readonly section: string | undefined },
): ConfiguredVariant {
  const space = objectAt(item['space'], `structure.json: "${location}.space"`)
  const path = requiredAt(item['path'], `${location}.path`)
  const isDefault = item['default'] === true
  return {
    path,
    title: textAt(item['title'], `${location}.title`),
    isDefault,
    isHidden: item['hidden'] === true,
    isDraft: item['draft'] === true,
    condition: textAt(item['condition'], `${location}.condition`),
    space: {
      id: textAt(space['id'], `${location}.space.id`),
      title: requiredAt(space['title'], `${location}.space.title`),
      emoji: textAt(space['emoji'], `${location}.space.emoji`),
      language: textAt(space['language'], `${location}.space.language`),
    },
    folder: folderOf(folders, { section, path, isDefault }),
  }
}

/** Returns the folder of a variant: `<section>/<variant>`, or `<section>` for a default one, at any depth. */
function folderOf(
  folders: readonly string[],
  { section, path, isDefault }: { section: string | undefined; path: string; isDefault: boolean },
): string | undefined {
  const findByEnding = (name: string) =>
    folders.find((folder) => `/${folder}`.toLowerCase().endsWith(`/${name.toLowerCase()}`))
  if (section === undefined) return findByEnding(path)
  return findByEnding(`${section}/${path}`) ?? (isDefault ? findByEnding(section) : undefined)
}

/** Returns the basename of the site: the first part of the path of a published section. */
function basenameOf(items: readonly ConfigObject[]): string | undefined {
  for (const item of items) {
    const urls = item['urls']
    const url = typeof urls === 'object' && urls !== null ? (urls as ConfigObject)['published'] : undefined
    if (typeof url !== 'string' || !URL.canParse(url)) continue
    const parts = new URL(url).pathname.split('/')
    const name = parts.find((part) => part !== '' && !part.startsWith('@'))
    if (name !== undefined && /^[a-z0-9][a-z0-9-]{0,99}$/.test(name)) return name
  }
  return undefined
}
