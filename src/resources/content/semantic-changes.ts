/**
 * Semantic diff of two contents in terms of the API. The cost is proportional to the difference: texts are compared
 * by hash, and only the listed changes are presented.
 */
import { frontMatterMembers } from '../../core/markdown/front-matter.js'
import { parseVariables } from '../../core/markdown/variables.js'
import { type ContentChange, diffSnapshots, pageDifference } from '../../core/merge/diff-snapshots.js'
import { loadTexts, runTogether } from '../../core/merkle/steps.js'
import { describeChange, describeChanges } from '../../core/merge/describe-changes.js'
import { equal } from '../../core/merge/decisions.js'
import { emptySnapshot } from '../../core/pages/build.js'
import { findFile, findPages, titleOfText } from '../../core/pages/read.js'
import type { NameEntry, PageRecord } from '../../core/pages/types.js'
import type { FileId, PageId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { Addresses, UrlViewer } from '../../contract/addresses.js'
import type { SemanticChange } from '../../contract/semantic-changes.js'
import { diffTexts } from './text-changes.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { formatCursor } from './comparison-cursor.js'
import type { ContentContext } from './content.js'
import { presentFile, presentPage, presentReusableContent, presentTags } from './present.js'
import { settingsFile } from './settings.js'
import { collectPageTargets } from './page-targets.js'

interface Comparing {
  /** Undefined for a first revision. */
  readonly before: ContentContext | undefined
  readonly after: ContentContext
  readonly services: Services
  readonly urlViewer: UrlViewer
}

/** A change without its summary. */
type Presented<Each = SemanticChange> = Each extends unknown ? Omit<Each, 'summary'> : never

type TextChange = Extract<ContentChange, { readonly path: string }>

/** What is listed of a comparison. */
interface ListedPart {
  readonly limit: number
  readonly blocks?: boolean | undefined
  /** Number of changes before the part. */
  readonly start?: number
}

interface ListedChanges {
  readonly summary: string
  readonly changes: SemanticChange[]
  readonly more?: number
  readonly next?: { readonly page: string }
}

/** Returns a part of the changes with summaries, the number of those after it, and the cursor of the next part. */
export async function listChanges(
  comparing: Comparing,
  { limit, blocks: withBlocks = false, start = 0 }: ListedPart,
): Promise<ListedChanges> {
  const { before, after } = comparing
  const all = await diffContents(comparing)
  const listed = all.slice(start, start + limit)
  const end = start + listed.length
  const presented = await presentChanges(comparing, listed)
  const inside = withBlocks ? await diffTexts(after, listed, comparing.services) : []
  const changes = presented.map((change, at) => ({
    ...change,
    ...inside[at],
    summary: describeChange(listed[at]!),
  })) as SemanticChange[]
  return {
    summary: describeChanges(all),
    changes,
    ...(all.length > end && { more: all.length - end }),
    // Without an item the next part would be this one.
    ...(all.length > end &&
      listed.length > 0 && { next: { page: formatCursor({ before, after, start: end }) } }),
  }
}

const differenceKind = cacheKind<readonly ContentChange[]>(
  'compared contents',
  (changes) => changes.length * changeWeight,
)
/** Approximate bytes of a change, most of it the page's record. */
const changeWeight = 800

/** Returns all changes. They are cached, so that the parts of a long list are compared once. */
async function diffContents({
  before,
  after,
  services: { caches },
}: Comparing): Promise<readonly ContentChange[]> {
  const name = `${before?.revision.id ?? ''} ${after.revision.id}`
  const known = caches.find(differenceKind, name)
  if (known !== undefined) return known
  const { snapshot } = after.revision
  const from = before?.revision.snapshot ?? emptySnapshot(snapshot.config)
  const changes = (await after.run(diffSnapshots(from, snapshot))).filter(
    (change) => !('path' in change) || isListed(change, after),
  )
  caches.put(differenceKind, name, changes)
  return changes
}

/** True for texts that the API has a name for: variables, tags and reusable contents. */
function isListed(change: TextChange, content: ContentContext): boolean {
  const entry = change.after ?? change.before
  const isSetting =
    isSettingsFile('vars.yaml', change, content) || isSettingsFile('tags.yaml', change, content)
  return isSetting || (entry !== undefined && 'id' in entry && entry.id !== undefined)
}

function isSettingsFile(name: string, { path }: TextChange, { revision }: ContentContext): boolean {
  return path === settingsFile(name, revision.snapshot.config)
}

async function presentChanges(
  { before, after, services: { addresses }, urlViewer }: Comparing,
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

  const parentIn = (pages: ReadonlyMap<PageId, PageRecord>, id: PageId | null) => {
    const page = id === null ? undefined : pages.get(id)
    return page && namedPage(page)
  }

  const presented: Presented[] = []
  for (const change of changes) {
    switch (change.type) {
      case 'page_created':
      case 'page_deleted':
        presented.push({ type: change.type, page: namedPage(change.page) })
        break
      case 'page_edited': {
        const [was, is] = [
          await presentWholePage(before!, pagesBefore.get(change.page.id)!, addresses),
          await presentWholePage(after, change.page, addresses),
        ]
        const attributes = compare(Object.keys(change.attributes), was, is, { document: 'documentId' })
        presented.push({ type: change.type, page: namedPage(change.page), attributes })
        break
      }
      case 'page_moved': {
        const [from, to] = [
          parentIn(pagesBefore, change.parent.before),
          parentIn(pagesAfter, change.parent.after),
        ]
        const parent = { ...(from && { before: from }), ...(to && { after: to }) }
        presented.push({ type: change.type, page: namedPage(change.page), parent })
        break
      }
      case 'file_created':
      case 'file_deleted': {
        const location = change.type === 'file_created' ? after : before!
        presented.push({ type: change.type, file: presentFile(addresses, change.file, location, urlViewer) })
        break
      }
      case 'file_edited': {
        const { file } = change
        const [was, is] = [filesBefore.get(file.id)!, file]
        const attributes = compare(
          Object.keys(change.attributes),
          { ...presentFile(addresses, was, before!, urlViewer), path: was.path },
          { ...presentFile(addresses, is, after, urlViewer), path: is.path },
          { width: 'dimensions', height: 'dimensions' },
        )
        presented.push({
          type: change.type,
          file: presentFile(addresses, file, after, urlViewer),
          attributes,
        })
        break
      }
      default:
        presented.push(await presentText(change, after, addresses))
    }
  }
  return presented
}

async function loadPages(
  content: ContentContext | undefined,
  ids: readonly PageId[],
): Promise<ReadonlyMap<PageId, PageRecord>> {
  const pages = content === undefined ? [] : await content.run(findPages(content.revision.snapshot, ids))
  return new Map(pages.flatMap((page) => (page === undefined ? [] : [[page.id, page] as const])))
}

async function loadFiles(content: ContentContext | undefined, ids: readonly FileId[]) {
  const steps = content === undefined ? [] : ids.map((id) => findFile(content.revision.snapshot, id))
  const files = content === undefined ? [] : await content.run(runTogether(...steps))
  return new Map(files.flatMap((file) => (file === undefined ? [] : [[file.id, file] as const])))
}

type Attributes = Record<string, { before?: unknown; after?: unknown }>

/** Members of front matter that are attributes of the page. */
const pageMembers = new Set(
  'title description icon emoji cover coverY coverDark coverHeight layout hidden vars tags if slug url link'.split(
    ' ',
  ),
)

/** A page in a content, with its text. */
interface PageVersion {
  readonly content: ContentContext
  readonly page: PageRecord
  readonly text: string
}

/** Returns what differs between two versions of a page besides its text: attributes, parent, and further front matter. */
export async function comparePageSettings(
  before: PageVersion,
  after: PageVersion,
  { addresses }: Pick<Services, 'addresses'>,
): Promise<{ name: string; before?: unknown; after?: unknown }[]> {
  const names = Object.keys(pageDifference(before.page, after.page) ?? {}).filter(
    (name) => name !== 'document',
  )
  const [was, is] = await Promise.all(
    [before, after].map(({ content, page }) => presentWholePage(content, page, addresses)),
  )
  const attributes = compare(names, was!, is!, {})
  const parents = await Promise.all(
    [before, after].map(async ({ content, page: { parent } }) => {
      const [found] = parent === null ? [] : await content.run(findPages(content.revision.snapshot, [parent]))
      return found?.title
    }),
  )
  const isMoved = before.page.parent !== after.page.parent
  const written = compareEntries(
    ...([before, after].map(({ text }) =>
      Object.fromEntries(Object.entries(frontMatterMembers(text)).filter(([name]) => !pageMembers.has(name))),
    ) as [object, object]),
  )
  const rows = { ...attributes, ...(isMoved && { parent: valuesOf(parents[0], parents[1]) }), ...written }
  return Object.entries(rows).map(([name, values]) => ({ name, ...values }))
}

async function presentWholePage(content: ContentContext, page: PageRecord, addresses: Addresses) {
  const targets = await collectPageTargets(content, [{ page, children: [] }])
  return presentPage(page, [], { addresses, spaceId: content.spaceId, targets })
}

/** Returns a page as changes name it. */
export function namedPage(page: PageRecord) {
  return { id: page.id, type: page.type, title: page.title, ...('path' in page && { path: page.path }) }
}

/** Returns both presented values of each attribute; `names` maps attributes to members with another name. */
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
  content: ContentContext,
  addresses: Addresses,
): Promise<Presented> {
  const { path, before, after } = change
  if (isSettingsFile('vars.yaml', change, content)) {
    const [was, is] = [await readText(content, before), await readText(content, after)]
    const [from, to] = [parseVariables(was).variables, parseVariables(is).variables]
    return { type: 'variables_edited', variables: compareEntries(from, to) }
  }
  if (isSettingsFile('tags.yaml', change, content)) {
    const [was, is] = [await readText(content, before), await readText(content, after)]
    return { type: 'tags_edited', tags: compareEntries(tagsBySlug(was), tagsBySlug(is)) }
  }
  const location = { addresses, spaceId: content.spaceId }
  const [was, is] = [before, after].map((entry) => {
    if (entry === undefined || !('text' in entry) || entry.id === undefined) return undefined
    const title = titleOfText(path, entry)
    return presentReusableContent({ id: entry.id, title, text: entry.text }, location)
  })
  const reusableContent = (is ?? was)!
  if (change.type === 'text_created') return { type: 'reusable_content_created', reusableContent }
  if (change.type === 'text_deleted') return { type: 'reusable_content_deleted', reusableContent }
  const attributes = {
    ...(was?.title !== is?.title && { title: valuesOf(was?.title, is?.title) }),
    ...(was?.document !== is?.document && { document: valuesOf(was?.document, is?.document) }),
  }
  return { type: 'reusable_content_edited', reusableContent, attributes }
}

/** Returns both values of each name that has different ones. */
function compareEntries(before: object, after: object): Attributes {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return Object.fromEntries(
    names
      .filter((name) => !equal(was.get(name), is.get(name)))
      .map((name) => [name, valuesOf(was.get(name), is.get(name))]),
  )
}

function tagsBySlug(text: string): object {
  return Object.fromEntries(presentTags(text).map(({ slug, ...tag }) => [slug, tag]))
}

async function readText(content: ContentContext, entry: NameEntry | undefined): Promise<string> {
  const hash = entry !== undefined && 'text' in entry ? entry.text : undefined
  const [text = ''] = await content.run(loadTexts(hash === undefined ? [] : [hash]))
  return text
}
