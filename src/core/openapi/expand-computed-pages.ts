/**
 * Expands computed pages of a snapshot into ordinary ones for readers; the result is not stored. A page generated from a
 * specification keeps its id, position and path, with the reference pages below it; authored content keeps its
 * paths, and generated pages avoid them.
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
import { findFreeNumber } from '../pages/free-numbers.js'
import { childrenFolder, depthOf, fileForSlug, joinPath, maxFolderDepth, slugify } from '../pages/paths.js'
import { isFree } from '../pages/page-paths.js'
import { findPages } from '../pages/read.js'
import { resolveTargets } from '../pages/targets.js'
import type { ComputedPage, DocumentPage, FileRecord, Snapshot } from '../pages/types.js'
import type { SpecificationOutline } from './outline.js'
import { type ReferenceSource, readReferenceSource } from './reference-source.js'
import { type BlockName, type ReferencePage, plainMarkdown, referencePages } from './reference-texts.js'

/** A computed page whose source names a specification. */
export interface SpecificationPage {
  readonly page: ComputedPage
  readonly source: ReferenceSource
  /** The file that the source names; undefined where there is none. */
  readonly file?: FileRecord
}

/** The current version of a specification. */
export interface OutlineVersion {
  /** Id of its version, or the hash of the file. */
  readonly version: string
  /** Creation time, milliseconds since 1970; undefined for a file, whose time is that of the page that names it. */
  readonly createdAt?: number
  /** The outline, or a sentence without its full stop why it cannot be read. */
  readonly outline: SpecificationOutline | { readonly problem: string }
}

interface Context {
  readonly sink: Sink
  readonly describe: Describe
  /** Returns an id derived from the text. */
  readonly idOf: (text: string) => PageId
}

export interface ExpandedSnapshot {
  readonly snapshot: Snapshot
  /** Text of a page for the search index, instead of its own. */
  readonly searched: ReadonlyMap<PageId, string>
}

/** Returns the name by which the outline of a page's specification is requested. */
export function outlineName({ source, file }: SpecificationPage): string {
  return 'spec' in source ? source.spec : `file ${file?.hash ?? ''}`
}

/** Returns the computed pages generated from specifications; reads no others. */
export function* findSpecificationPages(snapshot: Snapshot): Step<readonly SpecificationPage[]> {
  const keys = yield* range(snapshot.links, { prefix: linksPrefix(computedTarget) })
  const ids = keys.flatMap(([key]) => {
    const { source } = readLinkKey(key)
    return 'page' in source ? [source.page] : []
  })
  const pages = yield* findPages(snapshot, ids)
  const sourced = pages.flatMap((page): SpecificationPage[] => {
    const source = page?.type === 'computed' ? readReferenceSource(page.source) : undefined
    return source === undefined ? [] : [{ page: page as ComputedPage, source }]
  })
  const { config } = snapshot
  const named = sourced.flatMap(({ source }) => ('file' in source ? [source.file] : []))
  const targets = yield* resolveTargets(snapshot, joinPath(config.root, config.summary), named)
  return sourced.map((one) => {
    const target = 'file' in one.source ? targets.get(one.source.file) : undefined
    return target?.kind === 'file' ? { ...one, file: target.file } : one
  })
}

/** Returns the slugs of the organization's specifications from which pages are generated, each once. */
export function slugsOf(sourced: readonly SpecificationPage[]): readonly string[] {
  return [...new Set(sourced.flatMap(({ source }) => ('spec' in source ? [source.spec] : [])))].toSorted()
}

/**
 * Returns the specifications that the content uses or embeds, and the earlier content did not: by their slugs, or by
 * their addresses as written in blocks.
 */
export function* addedSpecifications(
  snapshot: Snapshot,
  before: readonly Snapshot[],
): Step<ReadonlySet<string>> {
  const added = new Set(slugsOf(yield* findSpecificationPages(snapshot)))
  for (const { key, after } of yield* diff(before[0]?.links ?? null, snapshot.links)) {
    const name = after === undefined ? undefined : readSpecificationTarget(readLinkKey(key).target)
    if (name !== undefined) added.add(name)
  }
  for (const one of before) {
    if (added.size === 0) break
    for (const slug of slugsOf(yield* findSpecificationPages(one))) added.delete(slug)
    for (const name of added) {
      const prefix = linksPrefix(specificationTarget(name))
      if ((yield* range(one.links, { prefix, limit: 1 })).length > 0) added.delete(name)
    }
  }
  return added
}

/** Returns those of the specifications that the content uses or embeds. */
export function* usedSpecifications(snapshot: Snapshot, slugs: readonly string[]): Step<ReadonlySet<string>> {
  const used = new Set(slugsOf(yield* findSpecificationPages(snapshot)))
  for (const slug of slugs) {
    if (used.has(slug)) continue
    const prefix = linksPrefix(specificationTarget(slug))
    if ((yield* range(snapshot.links, { prefix, limit: 1 })).length > 0) used.add(slug)
  }
  return used
}

/** Returns the snapshot with the reference pages of each available specification. */
export function* expandSnapshot(
  snapshot: Snapshot,
  sourced: readonly SpecificationPage[],
  outlines: ReadonlyMap<string, OutlineVersion>,
  context: Context,
): Step<ExpandedSnapshot> {
  const draft = draftOf(snapshot, context)
  const searched = new Map<PageId, string>()
  for (const one of sourced) {
    const known = outlines.get(outlineName(one)) ?? missingFile(one)
    if (known !== undefined) yield* expandPage({ draft, context, searched, known, sourced: one })
  }
  return { snapshot: yield* finishDraft(draft), searched }
}

interface PageExpansion {
  readonly draft: Draft
  readonly context: Context
  readonly searched: Map<PageId, string>
  readonly known: OutlineVersion
  readonly sourced: SpecificationPage
}

/** A missing file is reported; a specification that does not exist yet leaves the entry unchanged. */
function missingFile({ source, file }: SpecificationPage): OutlineVersion | undefined {
  if ('spec' in source || file !== undefined) return undefined
  return { version: '', outline: { problem: 'There is no such file in this space' } }
}

function* expandPage(making: PageExpansion): Step<void> {
  const { draft, known, sourced, searched } = making
  const { page: computed, source } = sourced
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
    ...(known.createdAt !== undefined && {
      updatedAt: Math.max(computed.updatedAt ?? 0, known.createdAt),
    }),
    generated: generatedFrom(making, 'info'),
  }
  const { outline } = known
  if ('problem' in outline) {
    const name = escapeInline('file' in source ? source.file : source.spec)
    const text = `{% hint style="danger" %}\n${name}: ${escapeInline(outline.problem)}.\n{% endhint %}\n`
    // Error messages are not searchable.
    searched.set(computed.id, '')
    yield* putPage(draft, writeText(draft, top, text))
    return
  }
  const pages = referencePages(outline, { ...source, named: blockName(sourced) })
  const made = yield* putReferencePages(making, top, pages)
  const { description } = outline
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

/** Puts the reference pages below a page, and returns its direct children. */
function* putReferencePages(
  making: PageExpansion,
  parent: DocumentPage,
  pages: readonly ReferencePage[],
): Step<DocumentPage[]> {
  const { draft, context, searched, sourced, known } = making
  const at = known.createdAt ?? sourced.page.updatedAt
  const made: DocumentPage[] = []
  if (depthOf(parent.path) > maxFolderDepth) return made
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
    const id = context.idOf(`${sourced.page.id} ${one.key}`)
    const record: DocumentPage = {
      id,
      type: 'document',
      parent: parent.id,
      position: String(index).padStart(6, '0'),
      title: one.title,
      ...place,
      ...(at !== undefined && { createdAt: at, updatedAt: at }),
      generated: generatedFrom(making, one.doc, one.key),
    }
    searched.set(id, one.searched)
    // Before the pages below it, so that none of them takes its path; its text links to them.
    yield* putPage(draft, record)
    const below = yield* putReferencePages(making, record, one.pages)
    const files = new Map(below.map((page, at) => [one.pages[at]!.key, page.file]))
    const markdown = one.markdown((key) => {
      const to = files.get(key)
      return to === undefined ? undefined : relativePath(record.file, to)
    })
    const page = markdown.trim() === '' ? record : writeText(draft, record, markdown)
    yield* putPage(draft, page)
    made.push(page)
  }
  return made
}

/** A file of the space, from the root of its tree, so that it is the same on every page. */
function blockName({ source, file }: SpecificationPage): BlockName {
  return 'spec' in source ? { spec: source.spec } : { src: `/${relativePath('', file!.path)}` }
}

function generatedFrom(
  { sourced: { page: computed, source }, known }: PageExpansion,
  doc: 'info' | 'operations' | 'models',
  page?: string,
): NonNullable<DocumentPage['generated']> {
  return {
    ...('spec' in source ? { spec: source.spec } : { file: source.file }),
    seed: computed.id,
    version: known.version,
    doc,
    ...(page !== undefined && doc !== 'models' && { page }),
  }
}
