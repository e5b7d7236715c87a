/**
 * Interface of search engines: index the words of sections, and find sections by words.
 *
 * Words are tokenized and folded the same way for both (`tokenize`), without the engines' own tokenizers, so both find
 * the same sections. Only the order among them may differ a little.
 */
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
  expressionBuilder,
  sql,
} from 'kysely'
import type { Db, Tx } from '../db/database.js'
import type { Tables } from '../db/tables.js'

export interface SectionRow {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly pageId: PageId
  readonly ordinal: number
  /** Of its page. */
  readonly title: string
  readonly anchor: string | null
  readonly heading: string
  readonly body: string
  readonly words: SectionWords
  /** The id of its guard; undefined for unconditional sections. */
  readonly guard: string | undefined
}

/**
 * The words of a section by field. The words of the page's title are in `title` in its first section only, and in `body`
 * in the others; so are those of a heading in the continuation of a long section. So a word of a title or heading is found
 * once for each title or heading.
 */
export interface SectionWords {
  readonly title: readonly string[]
  readonly heading: readonly string[]
  readonly body: readonly string[]
  /** The words of each title, or of the heading, in their order, without parts of compounds. */
  readonly names: readonly (readonly string[])[]
}

/**
 * The sections of an organization that may be found: those of the listed spaces, at most some thousand, or of all spaces
 * for which an expression is true, which is evaluated per section. With `guards`, sections under other guards are not
 * found. `vocabularySpaces` are the languages of the spaces, which are queried if missing.
 */
export type SectionScope = { readonly organizationId: OrganizationId } & (
  | {
      readonly spaceIds: readonly SpaceId[]
      readonly guards?: readonly GuardRef[]
      readonly vocabularySpaces?: readonly VocabularySpace[]
    }
  | { readonly isInScope: (space: ExpressionBuilder<Tables, 'spaces'>) => Expression<SqlBool> }
)

/** A space whose vocabulary is read, and the language of its texts. */
export interface VocabularySpace {
  readonly spaceId: SpaceId
  readonly language: string | null
}

/** A guard in the index of a space. */
export interface GuardRef {
  readonly spaceId: SpaceId
  readonly guard: string
}

/** The key of the index of a space. */
export interface IndexedSpace {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

/**
 * One query of the index, whose results are in index order: by groups of words of which one each must be found, or by
 * phrases of adjacent words.
 */
export interface SearchStep {
  /** Executed only when the last step finds so many: otherwise that one has found everything. */
  readonly after?: number
  /** True when each of its words is in very many pages. */
  readonly isCommon?: boolean
  readonly wants: 'all' | 'some' | 'phrases'
  /** How its sections match: the query as a phrase, all its words, or some. */
  readonly finds: 'phrase' | 'words' | 'some'
  /** Words of texts, or markers. */
  readonly groups: readonly (readonly string[])[]
  /** Additional groups of which one word each must be found. */
  readonly beside?: readonly (readonly string[])[]
  readonly limit: number
}

/** A found section, with its identity and title. */
export interface NamedSection {
  readonly id: number
  readonly spaceId: SpaceId
  readonly pageId: PageId
  /** Of its page. */
  readonly title: string
  readonly heading: string
  /** The first of its page: its heading is the page's title, or other titles of the page. */
  readonly isFirst: boolean
  /** Undefined where it was not read with it. */
  readonly text?: SectionText | undefined
}

/** The displayed text of a section, and of its page. */
export interface SectionText {
  /** Null before the first heading. */
  readonly anchor: string | null
  readonly body: string
  readonly title: string
  readonly path: string
}

export interface FoundSection extends NamedSection {
  readonly finds: SearchStep['finds']
}

export interface SearchEngine {
  insertSections(tx: Tx, rows: readonly SectionRow[]): Promise<void>
  /** Of these pages, or of the whole space. */
  deleteSections(tx: Tx, place: IndexedSpace, pageIds?: readonly PageId[]): Promise<void>
  /** Merges parts of the index that many changes left, in a short step; returns whether there is more to do. */
  mergeParts(tx: Tx): Promise<boolean>
  /** Returns the sections that the steps find, those of the first step first, at most `most`. */
  findSections(
    db: Db,
    scope: SectionScope,
    steps: readonly SearchStep[],
    most: number,
  ): Promise<readonly FoundSection[]>
}

/** Merges the results of the steps, each section once: by the first step that found it, or as a phrase. */
export function mergeResults<Found extends { readonly id: number }>(
  steps: readonly SearchStep[],
  lists: readonly (readonly Found[])[],
  most: number,
): readonly (Found & Pick<SearchStep, 'finds'>)[] {
  const joined = new Map<number, Found & Pick<SearchStep, 'finds'>>()
  for (const [at, { finds }] of steps.entries()) {
    for (const found of lists[at]!) {
      const isKnown = joined.has(found.id)
      if (isKnown ? finds === 'phrase' : joined.size < most) joined.set(found.id, { ...found, finds })
    }
  }
  return [...joined.values()]
}

/** Longer words (hashes, keys) are truncated, in the index and in queries. */
const maxWordLength = 64

/** Further words of one text are not indexed: a position in PostgreSQL's index has 14 bits. */
const maxWords = 12_000

/** Returns the words of folded text: runs of letters, marks and digits. */
export function tokenize(folded: string): string[] {
  const words = folded.match(/[\p{L}\p{M}\p{N}\p{Co}]+/gu) ?? []
  return words.slice(0, maxWords).map((word) => {
    return word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join('')
  })
}

/**
 * Marker words, which no text contains, because they begin with a non-letter: for a whole title or heading, for a word in
 * one, and for the section's space. In hexadecimal, because an index may fold case and ids must not be folded.
 */
export const markers = {
  name: (words: readonly string[]) => `\ue000${[...words.join('')].slice(0, maxWordLength).join('')}`,
  prominent: (word: string) => `\ue001${word}`,
  space: (id: SpaceId) => `\ue002${Buffer.from(id).toString('hex')}`,
  organization: (id: OrganizationId) => `\ue003${Buffer.from(id).toString('hex')}`,
  open: (id: SpaceId) => `\ue004${Buffer.from(id).toString('hex')}`,
  guard: ({ spaceId, guard }: GuardRef) => `\ue005${Buffer.from(spaceId).toString('hex')}g${guard}`,
}

/** Returns the marker words of a section. */
export function markersOf({ organizationId, spaceId, words, guard }: SectionRow): string[] {
  const { title, heading, names } = words
  return [
    markers.space(spaceId),
    markers.organization(organizationId),
    guard === undefined ? markers.open(spaceId) : markers.guard({ spaceId, guard }),
    ...names.flatMap((name) => (name.length > 0 ? [markers.name(name)] : [])),
    ...new Set([...title, ...heading].map(markers.prominent)),
  ]
}

/** Returns the marker words of which a section must have one to be in scope. */
export function scopeMarkers(scope: SectionScope): string[] {
  if (!('spaceIds' in scope)) return [markers.organization(scope.organizationId)]
  const { spaceIds, guards } = scope
  return guards === undefined
    ? spaceIds.map(markers.space)
    : [...spaceIds.map(markers.open), ...guards.map(markers.guard)]
}

/** Returns the join and the condition that exclude sections out of scope; nothing for listed spaces. */
export function joinScope(scope: SectionScope, sectionSpace: string): RawBuilder<unknown> {
  if ('spaceIds' in scope) return sql``
  const condition = scope.isInScope(expressionBuilder<Tables, 'spaces'>())
  return sql`cross join spaces
    where spaces.organization_id = ${scope.organizationId} and spaces.id = ${sql.ref(sectionSpace)}
      and ${condition}`
}
