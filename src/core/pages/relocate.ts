/**
 * Moves files and rewrites the links that follow them.
 *
 * When a file moves, every link to it and every relative link inside it is rewritten, and nothing but
 * the characters of those destinations changes. A link that already resolves to the right file (two pages
 * that moved together) stays as its author wrote it; a broken one keeps its path.
 */
import type { ContentConfig } from '../config.js'
import type { Reference } from '../document/types.js'
import type { FileId, Hash, PageId } from '../ids.js'
import { retarget } from '../links/relative.js'
import { replaceDestinations } from '../links/replace.js'
import { overlayGetMany, overlayRange } from '../merkle/overlay.js'
import type { Step } from '../merkle/types.js'
import { readingsOf } from './describe.js'
import {
  draftDescription,
  draftName,
  draftPage,
  draftText,
  preloadTexts,
  putFile,
  putPage,
  putTextFile,
  writeText,
} from './draft.js'
import type { Draft } from './draft.js'
import { linkKey, linksPrefix, readLinkKey } from './keys.js'
import type { LinkSource } from './keys.js'
import { summaryFile } from './paths.js'
import type { FileRecord, PageRecord } from './types.js'

/**
 * Puts pages and files that may have moved (each replaces the one with its id) and rewrites every link
 * that the moves would break. The new file paths must be free, or left by one another.
 */
export function* relocate(
  draft: Draft,
  pages: readonly PageRecord[],
  files: readonly FileRecord[] = [],
): Step<void> {
  const moves = new Map<string, string>()
  const records = new Map<PageId, PageRecord>()
  for (const page of pages) {
    records.set(page.id, page)
    const before = yield* draftPage(draft, page.id)
    if (before?.type === 'document' && page.type === 'document' && before.file !== page.file) {
      moves.set(before.file, page.file)
    }
  }
  for (const file of files) {
    const before = yield* draftFilePath(draft, file.id)
    if (before !== undefined && before !== file.path) moves.set(before, file.path)
  }
  const texts = new Map<string, { readonly text: string; readonly id?: string }>()
  const sources = yield* sourcesOf(draft, moves)
  yield* preloadTexts(draft, yield* textsOf(draft, sources, records))
  for (const source of sources) {
    if ('page' in source) {
      const before = yield* draftPage(draft, source.page)
      const after = records.get(source.page) ?? before
      if (after?.type === 'link') {
        const contents = summaryFile(draft.config)
        const [url] = yield* movedDestinations(draft, [after.url], contents, contents, moves)
        if (url !== undefined) records.set(after.id, { ...after, url })
      }
      if (before?.type !== 'document' || after?.type !== 'document' || after.text === undefined) continue
      const text = yield* draftText(draft, after.text)
      const { references } = yield* draftDescription(draft, after.text)
      const rewritten = yield* rewrite(draft, text, references, before.file, after.file, moves)
      if (rewritten !== text) records.set(after.id, writeText(draft, after, rewritten))
    } else {
      const entry = yield* draftName(draft, source.text)
      if (!entry || !('text' in entry)) continue
      const text = yield* draftText(draft, entry.text)
      const { references } = yield* draftDescription(draft, entry.text)
      const rewritten = yield* rewrite(draft, text, references, source.text, source.text, moves)
      if (rewritten !== text) texts.set(source.text, { ...entry, text: rewritten })
    }
  }
  for (const page of records.values()) yield* putPage(draft, page)
  for (const file of files) yield* putFile(draft, file)
  for (const [path, { text, id }] of texts) yield* putTextFile(draft, path, text, id)
}

function* draftFilePath(draft: Draft, id: FileId): Step<string | undefined> {
  const [file] = yield* overlayGetMany(draft.files, [id])
  return file?.path
}

/** Returns everything that points to a moved file, and the moved pages themselves, each once. */
function* sourcesOf(draft: Draft, moves: ReadonlyMap<string, string>): Step<LinkSource[]> {
  const sources = new Map<string, LinkSource>()
  const add = (source: LinkSource): void => void sources.set(linkKey('', source), source)
  for (const from of moves.keys()) {
    const entry = yield* draftName(draft, from)
    if (entry && 'page' in entry) add({ page: entry.page })
    for (const [key] of yield* overlayRange(draft.links, { prefix: linksPrefix(from) }))
      add(readLinkKey(key).source)
  }
  return [...sources.values()]
}

function* textsOf(
  draft: Draft,
  sources: readonly LinkSource[],
  records: ReadonlyMap<PageId, PageRecord>,
): Step<Hash[]> {
  const ids = sources.flatMap((source) =>
    'page' in source && !records.has(source.page) ? [source.page] : [],
  )
  const paths = sources.flatMap((source) => ('text' in source ? [source.text] : []))
  const others = yield* overlayGetMany(draft.pages, ids)
  const entries = yield* overlayGetMany(draft.names, paths)
  return [
    ...[...others, ...records.values()].flatMap((page) =>
      page?.type === 'document' && page.text !== undefined ? [page.text] : [],
    ),
    ...entries.flatMap((entry) => (entry && 'text' in entry ? [entry.text] : [])),
  ]
}

function* rewrite(
  draft: Draft,
  text: string,
  references: readonly Reference[],
  fromBefore: string,
  fromAfter: string,
  moves: ReadonlyMap<string, string>,
): Step<string> {
  const urls = references.map(({ url }) => url)
  const moved = yield* movedDestinations(draft, urls, fromBefore, fromAfter, moves)
  const replacements = references.flatMap(({ span, syntax }, index) => {
    const url = moved[index]
    return url === undefined ? [] : [{ span, syntax, url }]
  })
  return replacements.length === 0 ? text : replaceDestinations(text, replacements)
}

/** Returns the new destinations, undefined for each that stays as it is. */
function* movedDestinations(
  draft: Draft,
  urls: readonly string[],
  fromBefore: string,
  fromAfter: string,
  moves: ReadonlyMap<string, string>,
): Step<readonly (string | undefined)[]> {
  const paths = [
    ...new Set(urls.flatMap((url) => readingsOfMove(url, { fromBefore, fromAfter, config: draft.config }))),
  ]
  const stored = yield* overlayGetMany(draft.names, paths)
  const existed = new Set(paths.filter((_, index) => stored[index] !== undefined))
  return destinationsAfterMoves(urls, { fromBefore, fromAfter, config: draft.config, existed, moves })
}

interface LinkMove {
  /** The file of the text with the links, before and after. */
  readonly fromBefore: string
  readonly fromAfter: string
  readonly config: ContentConfig
}

function readingsOfMove(url: string, { fromBefore, fromAfter, config }: LinkMove): readonly string[] {
  return [...readingsOf(fromBefore, url, config), ...readingsOf(fromAfter, url, config)]
}

/**
 * Returns the destinations that links need after these moves, undefined for each that stays as it is. `existed` has at
 * least those files to which the links may lead before.
 */
export function destinationsAfterMoves(
  urls: readonly string[],
  {
    fromBefore,
    fromAfter,
    config,
    existed,
    moves,
  }: LinkMove & { readonly existed: ReadonlySet<string>; readonly moves: ReadonlyMap<string, string> },
): readonly (string | undefined)[] {
  const arrived = new Set(moves.values())
  const exists = (path: string): boolean => arrived.has(path) || (existed.has(path) && !moves.has(path))
  return urls.map((url) => {
    const before = readingsOf(fromBefore, url, config)
    const after = readingsOf(fromAfter, url, config)
    const literal = before[0]
    if (literal === undefined || literal.startsWith('/')) return undefined
    const target = before.find((path) => existed.has(path)) ?? literal
    const wanted = moves.get(target) ?? target
    const reached = after.find((path) => exists(path)) ?? after[0]
    return reached === wanted ? undefined : retarget(url, fromAfter, wanted)
  })
}
