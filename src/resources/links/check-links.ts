/**
 * Link checker: the links of texts of a revision and whether each is broken. Links into other spaces are left to
 * `cross-space-links.ts`, because the result depends on the actor.
 */
import type { Hash } from '../../core/ids.js'
import type { Resolved } from '../../core/links/resolve.js'
import { resolveReference } from '../../core/links/resolve.js'
import type { Reference } from '../../core/document/types.js'
import type { TextLinks } from '../../core/links/text-links.js'
import type { LinkSource } from '../../core/pages/keys.js'
import { type LinkItem, collectLinks } from '../../core/pages/link-items.js'
import {
  type LinkVerdict,
  type LinkChecker,
  type TextParts,
  createLinkChecker,
} from '../../core/pages/link-checker.js'
import { resolveOptions } from '../../core/pages/paths.js'
import { type ContentIndex, indexSnapshot, indexTargets, resolveTarget } from '../../core/pages/targets.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import type { ContentServices } from '../content/expansion.js'
import { type ContentContext, expandContent } from '../content/content.js'
import { type PackedLinks, readPackedLinks, readLinks } from './read-links.js'

/** A text with links, in one revision. */
export interface LinkingText {
  /** Sort key in lists. */
  readonly place: string
  readonly source: LinkSource
  /** Id of a reusable content, and its title where it has one of its own. */
  readonly id?: string
  readonly title?: string
  /** The file that its links are relative to. */
  readonly file: string
  /** Hash of the text, or the URL of a link page. */
  readonly text: Hash | { readonly url: string }
}

export type LinkCode = 'ok' | 'broken' | 'in-app' | 'cross-space'

export interface CheckedLink extends LinkVerdict {
  readonly item: LinkItem
  readonly code: LinkCode
}

/** The services that reading links takes. */
export type LinkServices = ContentServices & Pick<Services, 'database' | 'reader' | 'addresses'>

/** Above this number of texts, all resources of the content are loaded instead of the linked ones. */
const manyTexts = 200

/** Returns `map` of the checked links of each text, in order; only its results stay in memory. */
export async function checkLinks<Result>(
  content: ContentContext,
  services: Services,
  texts: readonly LinkingText[],
  map: (links: readonly CheckedLink[], text: LinkingText) => Result,
): Promise<readonly Result[]> {
  return texts.length > manyTexts
    ? checkMany(content, services, texts, map)
    : checkFew(content, services, texts, map)
}

type MapLinks<Result> = (links: readonly CheckedLink[], text: LinkingText) => Result

/** Loads the resources that the texts link to. */
async function checkFew<Result>(
  content: ContentContext,
  services: Services,
  texts: readonly LinkingText[],
  map: MapLinks<Result>,
): Promise<readonly Result[]> {
  const items = await readItems(content, services, texts)
  const wanted = texts.map(({ file }, at) => ({ file, readings: items[at]!.map(({ reading }) => reading) }))
  const checker = await prepareChecker(content, services, wanted)
  return mapYielding(texts, (text, at) => map(checkItems(checker, text.file, items[at]!), text))
}

/** Loads all resources of the content first, then checks text by text. */
async function checkMany<Result>(
  content: ContentContext,
  services: Services,
  texts: readonly LinkingText[],
  map: MapLinks<Result>,
): Promise<readonly Result[]> {
  const expanded = await expandedContent(content, services)
  const { snapshot } = expanded.revision
  const known = await expanded.run(indexSnapshot(snapshot))
  const textLinks = await readPackedLinks(content, services, hashesOf(texts))
  // Links also lead into texts that have no links to check, such as those of computed pages.
  const others = new Map<Hash, TextLinks>()
  const unread = new Set<Hash>()
  let isComplete = true
  const checker = createLinkChecker(known, snapshot.config, (file) => {
    const hash = known.texts.get(file)
    if (hash === undefined) return undefined
    const links = textLinks.get(hash) ?? others.get(hash)
    if (links === undefined) {
      unread.add(hash)
      isComplete = false
    }
    return links
  })
  const itemsOf = itemsIn(content, services)
  const results: Result[] = []
  let rows: readonly number[] = [...texts.keys()]
  while (rows.length > 0) {
    const incomplete: number[] = []
    await mapYielding(rows, (at) => {
      const text = texts[at]!
      isComplete = true
      const links = checkItems(checker, text.file, itemsOf(text, textLinks))
      if (isComplete) results[at] = map(links, text)
      else incomplete.push(at)
    })
    for (const [hash, links] of await readLinks(expanded, services, unread)) others.set(hash, links)
    unread.clear()
    rows = incomplete
  }
  return results
}

/** Checks the links of one text. */
function checkItems(
  { check }: LinkChecker,
  file: string,
  items: readonly LinkItem[],
): readonly CheckedLink[] {
  return items.map((item) => {
    const checked = check(file, item.kind, item.reading)
    return { ...checked, item, code: codeOf(item, checked) }
  })
}

/** Returns the links of each text, in the order of the text. */
export async function readItems(
  content: ContentContext,
  services: LinkServices,
  texts: readonly LinkingText[],
): Promise<readonly (readonly LinkItem[])[]> {
  const textLinks = await readLinks(content, services, hashesOf(texts))
  const itemsOf = itemsIn(content, services)
  return mapYielding(texts, (text) => itemsOf(text, textLinks))
}

function hashesOf(texts: readonly LinkingText[]): Hash[] {
  return texts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
}

function itemsIn({ revision }: ContentContext, { addresses }: LinkServices) {
  const { config } = revision.snapshot
  const applications = [addresses.base]
  return ({ text, file }: LinkingText, textLinks: PackedLinks) =>
    collectLinks(referencesOf(text, textLinks), file, config, applications)
}

async function mapYielding<Item, Result>(
  items: readonly Item[],
  map: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const pauseIfDue = yieldToEventLoop()
  const results: Result[] = []
  for (const [at, item] of items.entries()) {
    const pause = pauseIfDue()
    if (pause !== undefined) await pause
    results.push(map(item, at))
  }
  return results
}

function referencesOf(text: LinkingText['text'], textLinks: PackedLinks) {
  if (typeof text === 'string') return textLinks.get(text)!.references
  return [{ kind: 'link', url: text.url } as const]
}

function codeOf({ isInApp }: LinkItem, { target, verdict }: LinkVerdict): LinkCode {
  if (isInApp) return 'in-app'
  if (target.kind === 'space') return 'cross-space'
  return verdict === 'whole' ? 'ok' : 'broken'
}

export interface LinkDestination {
  readonly file: string
  readonly kind: Reference['kind']
  readonly reading: Resolved
}

/** Texts that are not stored, by file. */
type UnsavedTexts = ReadonlyMap<string, TextParts>

/** Checks each destination in the content, with these unsaved texts instead of the stored ones. */
export async function checkDestinations(
  content: ContentContext,
  services: Services,
  wanted: readonly LinkDestination[],
  unsaved: UnsavedTexts = new Map(),
): Promise<readonly LinkVerdict[]> {
  const readings = wanted.map(({ file, reading }) => ({ file, readings: [reading] }))
  const { check } = await prepareChecker(content, services, readings, unsaved)
  return wanted.map(({ file, kind, reading }) => check(file, kind, reading))
}

/** Returns the content with computed pages, which links lead to as well. */
function expandedContent(content: ContentContext, services: Services) {
  return expandContent({ ...content, db: services.database.read, services }, content)
}

/** Loads what checking the destinations of these files takes. */
async function prepareChecker(
  content: ContentContext,
  services: Services,
  wanted: readonly { readonly file: string; readonly readings: readonly Resolved[] }[],
  unsaved: UnsavedTexts = new Map(),
): Promise<LinkChecker> {
  const expanded = await expandedContent(content, services)
  const { snapshot } = expanded.revision
  const { config } = snapshot
  const options = resolveOptions(config)
  const known = await expanded.run(
    indexTargets(
      snapshot,
      wanted.flatMap(({ readings }) => readings),
    ),
  )

  // Pages that are linked with a fragment, by file.
  const pagesByFile = new Map<string, DocumentPage>()
  const addPage = ({ page }: { page: unknown }) => {
    const { type, text, file } = page as DocumentPage
    if (type === 'document' && text !== undefined) pagesByFile.set(file, page as DocumentPage)
  }
  const own = new Set<string>()
  await mapYielding(wanted, ({ file, readings }) => {
    for (const reading of readings) {
      if (reading.kind === 'anchor') own.add(file)
      if (!('fragment' in reading) || !reading.fragment) continue
      const target = resolveTarget(known, reading, config)
      if (target.kind === 'page') addPage(target)
    }
  })
  const ownThings = await expanded.run(indexTargets(snapshot, [...own].map(fileReading)))
  for (const file of own) {
    const target = resolveTarget(ownThings, fileReading(file), config)
    if (target.kind === 'page') addPage(target)
  }
  const texts = await readLinks(
    expanded,
    services,
    [...pagesByFile.values()].map(({ text }) => text!),
  )

  // Reusable contents that these include have anchors too.
  const included = [...pagesByFile].flatMap(([file, { text }]) =>
    (unsaved.get(file) ?? texts.get(text!)!).references
      .filter(({ kind }) => kind === 'reusable-content')
      .map(({ url }) => resolveReference(file, url, options)),
  )
  const includedThings = included.length === 0 ? known : await expanded.run(indexTargets(snapshot, included))
  const hashes = new Map<string, Hash>([...pagesByFile].map(([file, { text }]) => [file, text!]))
  for (const reading of included) {
    const target = resolveTarget(includedThings, reading, config)
    if (target.kind === 'text') hashes.set(target.path, target.entry.text)
  }
  const all = await readLinks(expanded, services, hashes.values())
  const things = mergeKnown(mergeKnown(known, ownThings), includedThings)
  return createLinkChecker(things, config, (file) => {
    const hash = hashes.get(file)
    return unsaved.get(file) ?? (hash === undefined ? undefined : all.get(hash))
  })
}

function fileReading(file: string): Resolved {
  return { kind: 'file', path: file }
}

function mergeKnown(a: ContentIndex, b: ContentIndex): ContentIndex {
  if (a === b) return a
  return {
    entryAt: (path) => a.entryAt(path) ?? b.entryAt(path),
    pageOf: (name) => a.pageOf(name) ?? b.pageOf(name),
    fileOf: (id) => a.fileOf(id) ?? b.fileOf(id),
  }
}
