/**
 * A snapshot with its computed pages made into ordinary ones: what readers are shown. Nothing of it is stored. A page
 * that is made of a specification keeps its id, place and path, and has what it is about below it; whatever a writer
 * put into the content stays where it is, and what is made gives way to it.
 */
import type { PageId } from '../ids.js'
import { relativePath } from '../links/relative.js'
import { escapeInlineDestination } from '../links/replace.js'
import { escapeInline } from '../markdown/plain-inline.js'
import { diff, range } from '../merkle/map.js'
import { pause } from '../merkle/steps.js'
import type { Sink, Step } from '../merkle/types.js'
import { type Draft, draftOf, finishDraft, putPage, writeText } from '../pages/draft.js'
import type { Describe } from '../pages/describe.js'
import {
  computedTarget,
  linksPrefix,
  readLinkKey,
  readSpecificationTarget,
  specificationTarget,
} from '../pages/keys.js'
import { findFreeNumber } from '../pages/numbers.js'
import { childrenFolder, depthOf, fileForSlug, joinPath, mostFolders, slugify } from '../pages/paths.js'
import { isFree } from '../pages/places.js'
import { findPages } from '../pages/read.js'
import type { ComputedPage, DocumentPage, PageRecord, Snapshot } from '../pages/types.js'
import type { SpecificationOutline } from './outline.js'
import { type ReferenceSource, readReferenceSource } from './reference-source.js'
import { type ReferencePage, plainMarkdown, referencePages } from './reference-texts.js'

/** A computed page whose source names a specification. */
export interface SourcedPage {
  readonly page: ComputedPage
  readonly source: ReferenceSource
}

/** A specification as it is now. */
export interface KnownOutline {
  /** Id of its version. */
  readonly version: string
  /** Milliseconds since 1970: when it came to be. */
  readonly createdAt: number
  readonly outline: SpecificationOutline
}

interface Context {
  readonly sink: Sink
  readonly describe: Describe
  /** Returns an id that follows from the text. */
  readonly idOf: (text: string) => PageId
}

export interface Expanded {
  readonly snapshot: Snapshot
  /** What the index is told of a page, in place of its text. */
  readonly searched: ReadonlyMap<PageId, string>
}

/** Answers the computed pages that are made of specifications; reads no others. */
export function* findSourced(snapshot: Snapshot): Step<readonly SourcedPage[]> {
  const keys = yield* range(snapshot.links, { prefix: linksPrefix(computedTarget) })
  const ids = keys.flatMap(([key]) => {
    const { source } = readLinkKey(key)
    return 'page' in source ? [source.page] : []
  })
  const pages = yield* findPages(snapshot, ids)
  return pages.flatMap((page) => {
    const source = page?.type === 'computed' ? readReferenceSource(page.source) : undefined
    return source === undefined ? [] : [{ page: page as ComputedPage, source }]
  })
}

/**
 * Answers the specifications that anything of the content is made of, or shows something of, and nothing of what was
 * there before: by their slugs, or by their addresses as blocks say them.
 */
export function* addedSpecifications(
  snapshot: Snapshot,
  before: readonly Snapshot[],
): Step<ReadonlySet<string>> {
  const added = new Set((yield* findSourced(snapshot)).map(({ source }) => source.spec))
  for (const { key, after } of yield* diff(before[0]?.links ?? null, snapshot.links)) {
    const name = after === undefined ? undefined : readSpecificationTarget(readLinkKey(key).target)
    if (name !== undefined) added.add(name)
  }
  for (const one of before) {
    if (added.size === 0) break
    for (const { source } of yield* findSourced(one)) added.delete(source.spec)
    for (const name of added) {
      const prefix = linksPrefix(specificationTarget(name))
      if ((yield* range(one.links, { prefix, limit: 1 })).length > 0) added.delete(name)
    }
  }
  return added
}

/** Answers those of the specifications that anything of the content is made of, or shows something of. */
export function* usedSpecifications(snapshot: Snapshot, slugs: readonly string[]): Step<ReadonlySet<string>> {
  const used = new Set((yield* findSourced(snapshot)).map(({ source }) => source.spec))
  for (const slug of slugs) {
    if (used.has(slug)) continue
    const prefix = linksPrefix(specificationTarget(slug))
    if ((yield* range(snapshot.links, { prefix, limit: 1 })).length > 0) used.add(slug)
  }
  return used
}

/** Answers the snapshot with the pages of each specification that is known. */
export function* expandSnapshot(
  snapshot: Snapshot,
  sourced: readonly SourcedPage[],
  outlines: ReadonlyMap<string, KnownOutline>,
  context: Context,
): Step<Expanded> {
  const draft = draftOf(snapshot, context)
  const searched = new Map<PageId, string>()
  for (const { page, source } of sourced) {
    const known = outlines.get(source.spec)
    if (known !== undefined) yield* expandPage({ draft, context, searched, known, source }, page)
  }
  return { snapshot: yield* finishDraft(draft), searched }
}

interface Making {
  readonly draft: Draft
  readonly context: Context
  readonly searched: Map<PageId, string>
  readonly known: KnownOutline
  readonly source: ReferenceSource
}

function* expandPage(making: Making, computed: ComputedPage): Step<void> {
  const { draft, known, source, searched } = making
  const { source: _, type: __, ...base } = computed
  const ownFile = yield* findFreeNumber((number) =>
    isFree(draft, new Set([computed.id]), {
      file: joinPath(draft.config.root, `${computed.path}${number === 0 ? '' : `-${number}`}.md`),
      path: computed.path,
    }),
  )
  const file = joinPath(draft.config.root, `${computed.path}${ownFile === 0 ? '' : `-${ownFile}`}.md`)
  const top: DocumentPage = {
    ...base,
    type: 'document',
    file,
    updatedAt: Math.max(computed.updatedAt ?? 0, known.createdAt),
    generated: generatedFrom(making, computed, 'info'),
  }
  const pages = referencePages(known.outline, source)
  const made = yield* placePages(making, computed, top, pages)
  const { description } = known.outline
  if (description === undefined) {
    yield* putPage(draft, top)
    return
  }
  const list = made.map(
    ({ title, file: to }) => `- [${escapeInline(title)}](${escapeInlineDestination(relativePath(file, to))})`,
  )
  const text = `${plainMarkdown(description)}\n\n${list.join('\n')}\n`
  searched.set(computed.id, text)
  yield* putPage(draft, writeText(draft, top, text))
}

/** Puts the pages below one, and answers those that stand directly below it. */
function* placePages(
  making: Making,
  computed: ComputedPage,
  parent: DocumentPage,
  pages: readonly ReferencePage[],
): Step<DocumentPage[]> {
  const { draft, context, searched, known } = making
  const made: DocumentPage[] = []
  if (depthOf(parent.path) > mostFolders) return made
  for (const [index, one] of pages.entries()) {
    yield* pause()
    const slug = slugify(one.slug)
    const folder = childrenFolder(parent, draft.config)
    const placeOf = (number: number) => {
      const own = number === 0 ? slug : `${slug}-${number}`
      return {
        slug: own,
        file: fileForSlug(folder, own, draft.config),
        path: joinPath(parent.path, own),
      }
    }
    const place = placeOf(yield* findFreeNumber((number) => isFree(draft, new Set(), placeOf(number))))
    const id = context.idOf(`${computed.id} ${one.key}`)
    const record: DocumentPage = {
      id,
      type: 'document',
      parent: parent.id,
      position: String(index).padStart(6, '0'),
      title: one.title,
      ...place,
      createdAt: known.createdAt,
      updatedAt: known.createdAt,
      generated: generatedFrom(making, computed, one.doc, one.key),
    }
    const isEmpty = one.markdown.trim() === ''
    const page = isEmpty ? record : writeText(draft, record, one.markdown)
    searched.set(id, one.searched)
    yield* putPage(draft, page as PageRecord)
    made.push(page)
    yield* placePages(making, computed, page, one.pages)
  }
  return made
}

function generatedFrom(
  { source, known }: Making,
  { id }: ComputedPage,
  doc: 'info' | 'operations' | 'models',
  page?: string,
): NonNullable<DocumentPage['generated']> {
  return {
    seed: id,
    spec: source.spec,
    version: known.version,
    doc,
    ...(page !== undefined && doc !== 'models' && { page }),
  }
}
