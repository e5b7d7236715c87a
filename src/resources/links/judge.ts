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
import { type LinkItem, collectLinks, nameReading } from '../../core/pages/link-items.js'
import { type Judged, createLinkJudge } from '../../core/pages/link-judge.js'
import { nameOf } from '../../core/pages/paths.js'
import { type KnownThings, findAllThings, findThings, targetAmong } from '../../core/pages/targets.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { takeTurns } from '../../store/content/turns.js'
import type { ContentServices } from '../content/computed.js'
import { type ContentHere, shownContent } from '../content/content.js'
import { readLinks } from './read-links.js'

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
  /** What tells it from the other links of its text, in any revision. */
  readonly name: string
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
  const turn = takeTurns()
  const items = await readItems(content, services, texts)
  const wanted = texts.flatMap(({ file }, at) =>
    items[at]!.map(({ kind, reading }) => ({ file, kind, reading })),
  )
  const judge = await prepareJudge(content, services, wanted, texts.length > manyTexts)
  const made: Made[] = []
  for (const [at, text] of texts.entries()) {
    const rest = turn()
    if (rest !== undefined) await rest
    const links = items[at]!.map((item) => {
      const found = judge.judge(text.file, item.kind, item.reading)
      return { ...found, item, code: codeOf(item, found), name: `${item.kind} ${nameReading(item.reading)}` }
    })
    made.push(make(links, text))
  }
  return made
}

/** Returns what each of the texts points to, in the order of the text. */
export async function readItems(
  content: ContentHere,
  services: LinkServices,
  texts: readonly Linking[],
): Promise<readonly (readonly LinkItem[])[]> {
  const { config } = content.revision.snapshot
  const applications = [services.addresses.base]
  const said = await readLinks(
    content,
    services,
    texts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
  )
  const turn = takeTurns()
  const items: (readonly LinkItem[])[] = []
  for (const { text, file } of texts) {
    const rest = turn()
    if (rest !== undefined) await rest
    items.push(collectLinks(referencesOf(text, said), file, config, applications))
  }
  return items
}

/** Only the address of a page that is nothing but a link, and that leads to other content, is content's. */
function referencesOf(text: Linking['text'], said: ReadonlyMap<Hash, TextLinks>) {
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
  const { judge } = await prepareJudge(content, services, wanted, wanted.length > manyTexts)
  return wanted.map(({ file, kind, reading }) => judge(file, kind, reading))
}

/** Reads what has to be known to judge these destinations. */
async function prepareJudge(
  content: ContentHere,
  services: Services,
  wanted: readonly Destination[],
  isMuch: boolean,
) {
  // Links lead to pages that are made of specifications, too, which readers are shown.
  const shown = await shownContent({ ...content, db: services.database.read, services }, content)
  const { snapshot } = shown.revision
  const { config } = snapshot
  const readme = nameOf(config.readme)
  const known = await shown.run(
    isMuch
      ? findAllThings(snapshot)
      : findThings(
          snapshot,
          wanted.map(({ reading }) => reading),
        ),
  )
  const turn = takeTurns()

  // Pages of which a part is meant, and where they are found.
  const sought = new Map<string, DocumentPage>()
  const seek = ({ page }: { page: unknown }) => {
    const { type, text, file } = page as DocumentPage
    if (type === 'document' && text !== undefined) sought.set(file, page as DocumentPage)
  }
  const own = new Set<string>()
  for (const { file, reading } of wanted) {
    const rest = turn()
    if (rest !== undefined) await rest
    if (reading.kind === 'anchor') own.add(file)
    if (!('fragment' in reading) || !reading.fragment) continue
    const target = targetAmong(known, reading, config)
    if (target.kind === 'page') seek(target)
  }
  const ownThings = isMuch ? known : await shown.run(findThings(snapshot, [...own].map(fileReading)))
  for (const file of own) {
    const rest = turn()
    if (rest !== undefined) await rest
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
  const includedThings =
    isMuch || included.length === 0 ? known : await shown.run(findThings(snapshot, included))
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
