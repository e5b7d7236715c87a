/**
 * What changed from one content to another, in words of the API. The price follows the difference: texts are told
 * apart by their hashes, and only what is shown is presented.
 */
import { type Variables, parseVariables } from '../../core/markdown/variables.js'
import { type ContentChange, diffSnapshots } from '../../core/merge/diff.js'
import { loadTexts, together } from '../../core/merkle/steps.js'
import { tellChange, tellChanges } from '../../core/merge/sentences.js'
import { emptySnapshot } from '../../core/pages/build.js'
import { joinPath } from '../../core/pages/paths.js'
import { findFile, findPages, titleOfText } from '../../core/pages/read.js'
import type { NameEntry, PageRecord } from '../../core/pages/types.js'
import type { FileId, PageId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { Addresses, Asker } from '../../contract/addresses.js'
import type { SemanticChange } from '../../contract/semantic-changes.js'
import { compareTexts } from './changed-texts.js'
import type { ContentHere } from './content.js'
import { presentFile, presentPage, presentReusableContent } from './present.js'
import { collectTargets } from './targets.js'

interface Comparing {
  /** Undefined where nothing stood before. */
  readonly before: ContentHere | undefined
  readonly after: ContentHere
  readonly services: Services
  readonly asker: Asker
}

/** A change without its words. */
type Presented<Each = SemanticChange> = Each extends unknown ? Omit<Each, 'summary'> : never

type TextChange = Extract<ContentChange, { readonly path: string }>

/** Returns the first changes, and how many there are more. */
export async function listChanges(
  comparing: Comparing,
  limit: number,
  withBlocks = false,
): Promise<{ summary: string; changes: SemanticChange[]; more?: number }> {
  const { before, after } = comparing
  const { snapshot } = after.revision
  const from = before?.revision.snapshot ?? emptySnapshot(snapshot.config)
  const all = (await after.run(diffSnapshots(from, snapshot))).filter(
    (change) => !('path' in change) || isTold(change, after),
  )
  const told = all.slice(0, limit)
  const presented = await presentChanges(comparing, told)
  const inside = withBlocks ? await compareTexts(after, told, comparing.services) : []
  const changes = presented.map((change, at) => ({
    ...change,
    ...inside[at],
    summary: tellChange(told[at]!),
  })) as SemanticChange[]
  return { summary: tellChanges(all), changes, ...(all.length > limit && { more: all.length - limit }) }
}

/** Texts that are no pages are told of as what they are: the variables, and reusable contents. */
function isTold(change: TextChange, content: ContentHere): boolean {
  const entry = change.after ?? change.before
  return isVariables(change, content) || (entry !== undefined && 'id' in entry && entry.id !== undefined)
}

function isVariables({ path }: TextChange, { revision }: ContentHere): boolean {
  return path === joinPath(revision.snapshot.config.root, '.gitbook/vars.yaml')
}

async function presentChanges(
  { before, after, services: { addresses }, asker }: Comparing,
  changes: readonly ContentChange[],
): Promise<Presented[]> {
  const pagesBefore = await loadPages(
    before,
    changes.flatMap((change) => {
      if (change.type === 'page_edited') return change.page.id
      return change.type === 'page_moved' ? (change.parent.before ?? []) : []
    }),
  )
  const pagesAfter = await loadPages(
    after,
    changes.flatMap((change) => (change.type === 'page_moved' ? (change.parent.after ?? []) : [])),
  )
  const filesBefore = await loadFiles(
    before,
    changes.flatMap((change) => (change.type === 'file_edited' ? [change.file.id] : [])),
  )

  const named = (page: PageRecord) => {
    return { id: page.id, type: page.type, title: page.title, ...('path' in page && { path: page.path }) }
  }
  const parentIn = (pages: ReadonlyMap<PageId, PageRecord>, id: PageId | null) => {
    const page = id === null ? undefined : pages.get(id)
    return page && named(page)
  }
  const whole = async (content: ContentHere, page: PageRecord) => {
    const targets = await collectTargets(content, [{ page, children: [] }])
    return presentPage(page, [], { addresses, spaceId: content.spaceId, targets })
  }

  const shown: Presented[] = []
  for (const change of changes) {
    switch (change.type) {
      case 'page_created':
      case 'page_deleted':
        shown.push({ type: change.type, page: named(change.page) })
        break
      case 'page_edited': {
        const [was, is] = [
          await whole(before!, pagesBefore.get(change.page.id)!),
          await whole(after, change.page),
        ]
        const attributes = compare(Object.keys(change.attributes), was, is, { document: 'documentId' })
        shown.push({ type: change.type, page: named(change.page), attributes })
        break
      }
      case 'page_moved': {
        const [from, to] = [
          parentIn(pagesBefore, change.parent.before),
          parentIn(pagesAfter, change.parent.after),
        ]
        const parent = { ...(from && { before: from }), ...(to && { after: to }) }
        shown.push({ type: change.type, page: named(change.page), parent })
        break
      }
      case 'file_created':
      case 'file_deleted': {
        const place = change.type === 'file_created' ? after : before!
        shown.push({ type: change.type, file: presentFile(addresses, change.file, place, asker) })
        break
      }
      case 'file_edited': {
        const { file } = change
        const [was, is] = [filesBefore.get(file.id)!, file]
        const attributes = compare(
          Object.keys(change.attributes),
          { ...presentFile(addresses, was, before!, asker), path: was.path },
          { ...presentFile(addresses, is, after, asker), path: is.path },
          { width: 'dimensions', height: 'dimensions' },
        )
        shown.push({ type: change.type, file: presentFile(addresses, file, after, asker), attributes })
        break
      }
      default:
        shown.push(await presentText(change, after, addresses))
    }
  }
  return shown
}

async function loadPages(
  content: ContentHere | undefined,
  ids: readonly PageId[],
): Promise<ReadonlyMap<PageId, PageRecord>> {
  const pages = content === undefined ? [] : await content.run(findPages(content.revision.snapshot, ids))
  return new Map(pages.flatMap((page) => (page === undefined ? [] : [[page.id, page] as const])))
}

async function loadFiles(content: ContentHere | undefined, ids: readonly FileId[]) {
  const steps = content === undefined ? [] : ids.map((id) => findFile(content.revision.snapshot, id))
  const files = content === undefined ? [] : await content.run(together(...steps))
  return new Map(files.flatMap((file) => (file === undefined ? [] : [[file.id, file] as const])))
}

type Attributes = Record<string, { before?: unknown; after?: unknown }>

/** Both values of each attribute as they are shown; `names` says where the member is called otherwise. */
function compare(
  attributes: readonly string[],
  before: object,
  after: object,
  names: Readonly<Record<string, string>>,
): Attributes {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return Object.fromEntries(
    attributes.map((attribute) => {
      const member = names[attribute] ?? attribute
      const name = attribute === 'document' ? attribute : member
      return [name, valuesOf(was.get(member), is.get(member))]
    }),
  )
}

function valuesOf(before: unknown, after: unknown): { before?: unknown; after?: unknown } {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
}

async function presentText(
  change: TextChange,
  content: ContentHere,
  addresses: Addresses,
): Promise<Presented> {
  const { path, before, after } = change
  if (isVariables(change, content)) {
    const [was, is] = [await readVariables(content, before), await readVariables(content, after)]
    const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name))
    const variables = Object.fromEntries(names.map((name) => [name, valuesOf(was.get(name), is.get(name))]))
    return { type: 'variables_edited', variables }
  }
  const place = { addresses, spaceId: content.spaceId }
  const [was, is] = [before, after].map((entry) => {
    if (entry === undefined || !('text' in entry) || entry.id === undefined) return undefined
    return presentReusableContent({ id: entry.id, title: titleOfText(path), text: entry.text }, place)
  })
  const reusableContent = (is ?? was)!
  if (change.type === 'text_created') return { type: 'reusable_content_created', reusableContent }
  if (change.type === 'text_deleted') return { type: 'reusable_content_deleted', reusableContent }
  const document = valuesOf(was?.document, is?.document)
  return { type: 'reusable_content_edited', reusableContent, attributes: { document } }
}

async function readVariables(
  content: ContentHere,
  entry: NameEntry | undefined,
): Promise<ReadonlyMap<string, Variables[string]>> {
  const hash = entry !== undefined && 'text' in entry ? entry.text : undefined
  const [text = ''] = await content.run(loadTexts(hash === undefined ? [] : [hash]))
  return new Map(Object.entries(parseVariables(text).variables))
}
