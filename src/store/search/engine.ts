/**
 * What an engine must do for the search: keep the words of sections, and find the sections that hold words.
 *
 * Words come in cut and folded the same way for both (`wordsOf`), and neither engine's own idea of a word
 * comes into play, so both find the same sections. Only the order among them may differ a little.
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
import type { Handover } from '../db/transfer.js'

export interface SectionRow {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly pageId: PageId
  readonly ordinal: number
  readonly anchor: string | null
  readonly heading: string
  readonly body: string
  readonly words: SectionWords
}

/** The same words in three weights: the page's title counts most, the body least. */
export interface SectionWords {
  readonly title: readonly string[]
  readonly heading: readonly string[]
  readonly body: readonly string[]
}

/**
 * Whose sections of an organization may be found: those of the named spaces, at most some thousand, or of all for
 * which the expression over their row is true, which is asked of one section after the other.
 */
export type Searched = { readonly organizationId: OrganizationId } & (
  | { readonly spaceIds: readonly SpaceId[] }
  | { readonly isSearched: (space: ExpressionBuilder<Tables, 'spaces'>) => Expression<SqlBool> }
)

/** A space, as its part of the index is named. */
export interface IndexPlace {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

export interface WordQuery {
  readonly searched: Searched
  /** A section must hold all of them, in any of the three places; never empty. */
  readonly words: readonly string[]
  /** The last word may be the beginning of one. */
  readonly prefixLast: boolean
  /** How many are ranked at least, where there are so many. */
  readonly limit: number
}

export interface Candidate {
  readonly id: number
  readonly spaceId: SpaceId
  readonly pageId: PageId
  /** Higher is better; comparable within one answer only. */
  readonly score: number
}

export interface SearchEngine {
  insertSections(tx: Tx, rows: readonly SectionRow[]): Promise<void>
  /** Of these pages, or of the whole space. */
  deleteSections(tx: Tx, place: IndexPlace, pageIds?: readonly PageId[]): Promise<void>
  /** Gives those of a space to another organization. */
  moveSections(tx: Tx, spaceId: SpaceId, handover: Handover): Promise<void>
  /** Answers matching sections, best first: all, or somewhat more than `limit` where there are more. */
  findCandidates(db: Db, query: WordQuery): Promise<readonly Candidate[]>
}

/** Longer words (hashes, keys) are cut, in the index and in queries alike. */
const longestWord = 64

/** More words of one text are not indexed: a position in PostgreSQL's index has 14 bits. */
const mostWords = 12_000

/** Answers the words of folded text: runs of letters, marks and digits. */
export function wordsOf(folded: string): string[] {
  const words = folded.match(/[\p{L}\p{M}\p{N}\p{Co}]+/gu) ?? []
  return words.slice(0, mostWords).map((word) => {
    return word.length <= longestWord ? word : [...word].slice(0, longestWord).join('')
  })
}

/** Answers the word that stands for a space in the index. Hexadecimal, because an index may fold case and ids do not. */
export function scopeWord(spaceId: SpaceId): string {
  return `s${Buffer.from(spaceId).toString('hex')}`
}

/** Answers the join and the condition that leave out sections which may not be found; nothing for named spaces. */
export function joinSearched(searched: Searched, sectionSpace: string): RawBuilder<unknown> {
  if ('spaceIds' in searched) return sql``
  const condition = searched.isSearched(expressionBuilder<Tables, 'spaces'>())
  return sql`cross join spaces
    where spaces.organization_id = ${searched.organizationId} and spaces.id = ${sql.ref(sectionSpace)}
      and ${condition}`
}
