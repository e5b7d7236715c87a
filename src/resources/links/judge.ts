/**
 * The links of some texts of a revision, and what is true of each there. What leads into another space is for
 * `elsewhere.ts`, because it is another answer for each who asks.
 */
import type { Hash } from '../../core/ids.js'
import type { Resolved } from '../../core/links/resolve.js'
import { resolveReference } from '../../core/links/resolve.js'
import type { Reference } from '../../core/document/types.js'
import type { TextLinks } from '../../core/links/text-links.js'
import type { LinkSource } from '../../core/pages/keys.js'
import { type LinkItem, collectLinks } from '../../core/pages/link-items.js'
import { type Judged, type LinkJudge, createLinkJudge } from '../../core/pages/link-judge.js'
import { nameOf } from '../../core/pages/paths.js'
import { type KnownThings, findAllThings, findThings, targetAmong } from '../../core/pages/targets.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { takeTurns } from '../../store/content/turns.js'
import type { ContentServices } from '../content/computed.js'
import { type ContentHere, shownContent } from '../content/content.js'
import { type HeldLinks, holdLinks, readLinks } from './read-links.js'

/** A text that has links, in one revision. */
export interface Linking {
  /** Where it stands in lists. */
  readonly place: string
  readonly source: LinkSource
  /** Of a reusable content. */
  readonly id?: string
  /** The file that its destinations are read from. */
  readonly file: string
  /** The text, or the one destination of a page that is nothing but a link. */
  readonly text: Hash | { readonly url: string }
}

export type LinkCode = 'ok' | 'broken' | 'in-app' | 'elsewhere'

export interface JudgedLink extends Judged {
  readonly item: LinkItem
  readonly code: LinkCode
}

/** What reading the links of texts takes. */
export type LinkServices = ContentServices & Pick<Services, 'database' | 'reader' | 'addresses'>

/** From so many texts on, everything is looked at instead of what they name. */
const manyTexts = 200

/** Returns what is made of the links of each text, which come in the order of the text: nothing else of them is held. */
export async function judgeLinks<Made>(
  content: ContentHere,
  services: Services,
  texts: readonly Linking[],
  make: (links: readonly JudgedLink[], text: Linking) => Made,
): Promise<readonly Made[]> {
  return texts.length > manyTexts
    ? judgeMany(content, services, texts, make)
    : judgeFew(content, services, texts, make)
}

type Make<Made> = (links: readonly JudgedLink[], text: Linking) => Made

/** Looks at the things that the texts name. */
async function judgeFew<Made>(
  content: ContentHere,
  services: Services,
  texts: readonly Linking[],
  make: Make<Made>,
): Promise<readonly Made[]> {
  const items = await readItems(content, services, texts)
  const wanted = texts.map(({ file }, at) => ({ file, readings: items[at]!.map(({ reading }) => reading) }))
  const judge = await prepareJudge(content, services, wanted)
  return eachInTurn(texts, (text, at) => make(judgeItems(judge, text.file, items[at]!), text))
}

/** Looks at all things of the content first, then at text by text. */
async function judgeMany<Made>(
  content: ContentHere,
  services: Services,
  texts: readonly Linking[],
  make: Make<Made>,
): Promise<readonly Made[]> {
  const shown = await shownHere(content, services)
  const { snapshot } = shown.revision
  const known = await shown.run(findAllThings(snapshot))
  const said = await holdLinks(content, services, hashesOf(texts))
  // Links lead into texts that have none to judge, such as those of pages that are made of specifications.
  const others = new Map<Hash, TextLinks>()
  const unread = new Set<Hash>()
  let isWhole = true
  const judge = createLinkJudge(known, snapshot.config, (file) => {
    const hash = known.texts.get(file)
    if (hash === undefined) return undefined
    const links = said.get(hash) ?? others.get(hash)
    if (links === undefined) {
      unread.add(hash)
      isWhole = false
    }
    return links
  })
  const itemsOf = itemsIn(content, services)
  const made: Made[] = []
  let rows: readonly number[] = [...texts.keys()]
  while (rows.length > 0) {
    const again: number[] = []
    await eachInTurn(rows, (at) => {
      const text = texts[at]!
      isWhole = true
      const links = judgeItems(judge, text.file, itemsOf(text, said))
      if (isWhole) made[at] = make(links, text)
      else again.push(at)
    })
    for (const [hash, links] of await readLinks(shown, services, unread)) others.set(hash, links)
    unread.clear()
    rows = again
  }
  return made
}

/** Returns what is true of the links of one text. */
function judgeItems({ judge }: LinkJudge, file: string, items: readonly LinkItem[]): readonly JudgedLink[] {
  return items.map((item) => {
    const judged = judge(file, item.kind, item.reading)
    return { ...judged, item, code: codeOf(item, judged) }
  })
}

/** Returns what each of the texts points to, in the order of the text. */
export async function readItems(
  content: ContentHere,
  services: LinkServices,
  texts: readonly Linking[],
): Promise<readonly (readonly LinkItem[])[]> {
  const said = await readLinks(content, services, hashesOf(texts))
  const itemsOf = itemsIn(content, services)
  return eachInTurn(texts, (text) => itemsOf(text, said))
}

function hashesOf(texts: readonly Linking[]): Hash[] {
  return texts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
}

function itemsIn({ revision }: ContentHere, { addresses }: LinkServices) {
  const { config } = revision.snapshot
  const applications = [addresses.base]
  return ({ text, file }: Linking, said: HeldLinks) =>
    collectLinks(referencesOf(text, said), file, config, applications)
}

async function eachInTurn<Item, Made>(
  items: readonly Item[],
  make: (item: Item, at: number) => Made,
): Promise<Made[]> {
  const turn = takeTurns()
  const made: Made[] = []
  for (const [at, item] of items.entries()) {
    const rest = turn()
    if (rest !== undefined) await rest
    made.push(make(item, at))
  }
  return made
}

/** Only the address of a page that is nothing but a link, and that leads to other content, is content's. */
function referencesOf(text: Linking['text'], said: HeldLinks) {
  if (typeof text === 'string') return said.get(text)!.references
  return /^[a-z][a-z\d+.-]*:/i.test(text.url) ? [{ kind: 'link', url: text.url } as const] : []
}

function codeOf({ isInApp }: LinkItem, { target, verdict }: Judged): LinkCode {
  if (isInApp) return 'in-app'
  if (target.kind === 'space') return 'elsewhere'
  return verdict === 'whole' ? 'ok' : 'broken'
}

export interface Destination {
  readonly file: string
  readonly kind: Reference['kind']
  readonly reading: Resolved
}

/** Returns what is true of each destination in the content. */
export async function judgeDestinations(
  content: ContentHere,
  services: Services,
  wanted: readonly Destination[],
): Promise<readonly Judged[]> {
  const readings = wanted.map(({ file, reading }) => ({ file, readings: [reading] }))
  const { judge } = await prepareJudge(content, services, readings)
  return wanted.map(({ file, kind, reading }) => judge(file, kind, reading))
}

/** The content as readers are shown it: links lead to pages that are made of specifications, too. */
function shownHere(content: ContentHere, services: Services) {
  return shownContent({ ...content, db: services.database.read, services }, content)
}

/** Reads what has to be known to judge the destinations of these files. */
async function prepareJudge(
  content: ContentHere,
  services: Services,
  wanted: readonly { readonly file: string; readonly readings: readonly Resolved[] }[],
): Promise<LinkJudge> {
  const shown = await shownHere(content, services)
  const { snapshot } = shown.revision
  const { config } = snapshot
  const readme = nameOf(config.readme)
  const known = await shown.run(
    findThings(
      snapshot,
      wanted.flatMap(({ readings }) => readings),
    ),
  )

  // Pages of which a part is meant, and where they are found.
  const sought = new Map<string, DocumentPage>()
  const seek = ({ page }: { page: unknown }) => {
    const { type, text, file } = page as DocumentPage
    if (type === 'document' && text !== undefined) sought.set(file, page as DocumentPage)
  }
  const own = new Set<string>()
  await eachInTurn(wanted, ({ file, readings }) => {
    for (const reading of readings) {
      if (reading.kind === 'anchor') own.add(file)
      if (!('fragment' in reading) || !reading.fragment) continue
      const target = targetAmong(known, reading, config)
      if (target.kind === 'page') seek(target)
    }
  })
  const ownThings = await shown.run(findThings(snapshot, [...own].map(fileReading)))
  for (const file of own) {
    const target = targetAmong(ownThings, fileReading(file), config)
    if (target.kind === 'page') seek(target)
  }
  const texts = await readLinks(
    shown,
    services,
    [...sought.values()].map(({ text }) => text!),
  )

  // What these show of reusable contents has parts too.
  const included = [...sought].flatMap(([file, { text }]) =>
    texts
      .get(text!)!
      .references.filter(({ kind }) => kind === 'reusable-content')
      .map(({ url }) => resolveReference(file, url, { readme })),
  )
  const includedThings = included.length === 0 ? known : await shown.run(findThings(snapshot, included))
  const hashes = new Map<string, Hash>([...sought].map(([file, { text }]) => [file, text!]))
  for (const reading of included) {
    const target = targetAmong(includedThings, reading, config)
    if (target.kind === 'text') hashes.set(target.path, target.entry.text)
  }
  const all = await readLinks(shown, services, hashes.values())
  const things = joinThings(joinThings(known, ownThings), includedThings)
  return createLinkJudge(things, config, (file) => {
    const hash = hashes.get(file)
    return hash === undefined ? undefined : all.get(hash)
  })
}

function fileReading(file: string): Resolved {
  return { kind: 'file', path: file }
}

function joinThings(a: KnownThings, b: KnownThings): KnownThings {
  if (a === b) return a
  return {
    entryAt: (path) => a.entryAt(path) ?? b.entryAt(path),
    pageOf: (name) => a.pageOf(name) ?? b.pageOf(name),
    fileOf: (id) => a.fileOf(id) ?? b.fileOf(id),
  }
}
