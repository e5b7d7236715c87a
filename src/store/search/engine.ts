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
  /** The id of its guard; undefined for what is for everybody. */
  readonly guard: string | undefined
}

/**
 * The words of a section by where they stand. Those of the page's title count as title in its first section only, and
 * as body in the others; so do those of a heading where a long section goes on. So a word of a title or heading is
 * found once for each title or heading.
 */
export interface SectionWords {
  readonly title: readonly string[]
  readonly heading: readonly string[]
  readonly body: readonly string[]
  /** The words of the title or heading in their order, without what compounds add; empty where there is none. */
  readonly name: readonly string[]
}

/**
 * Whose sections of an organization may be found: those of the named spaces, at most some thousand, or of all for
 * which the expression over their row is true, which is asked of one section after the other. Where guards are named,
 * what stands under others is not found. Whoever knows the languages of the spaces says them, for they are asked for
 * otherwise.
 */
export type Searched = { readonly organizationId: OrganizationId } & (
  | {
      readonly spaceIds: readonly SpaceId[]
      readonly guards?: readonly GuardPlace[]
      readonly spoken?: readonly SpokenSpace[]
    }
  | { readonly isSearched: (space: ExpressionBuilder<Tables, 'spaces'>) => Expression<SqlBool> }
)

/** A space whose words are looked up, and the language of its texts. */
export interface SpokenSpace {
  readonly spaceId: SpaceId
  readonly language: string | null
}

/** What guards a part of the index of a space. */
export interface GuardPlace {
  readonly spaceId: SpaceId
  readonly guard: string
}

/** A space, as its part of the index is named. */
export interface IndexPlace {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

/**
 * A way to find sections, in the order of the index: by groups of words of which one each must be found, or by
 * phrases, in which all words stand one behind the other.
 */
export interface Step {
  /** Taken only where the last step finds so many: what that one finds is all otherwise. */
  readonly after?: number
  /** True where each of its words stands in very many pages. */
  readonly isCommon?: boolean
  readonly wants: 'all' | 'some' | 'phrases'
  /** What is known of the sections that it finds: they hold the query as a phrase, all its words, or some. */
  readonly finds: 'phrase' | 'words' | 'some'
  /** Words of texts, or of `marked`. */
  readonly groups: readonly (readonly string[])[]
  /** Groups of which one each must be found besides. */
  readonly beside?: readonly (readonly string[])[]
  readonly limit: number
}

/** A section as it was found: what says where it is, and what it is about. */
export interface NamedSection {
  readonly id: number
  readonly spaceId: SpaceId
  readonly pageId: PageId
  /** Of its page. */
  readonly title: string
  readonly heading: string
  /** Of its page: its heading is the page's title again. */
  readonly isFirst: boolean
  /** Undefined where it was not read along. */
  readonly text?: SectionText | undefined
}

/** What is shown of a section besides its heading, and of its page. */
export interface SectionText {
  /** Null before the first heading. */
  readonly anchor: string | null
  readonly body: string
  readonly title: string
  readonly path: string
}

export interface FoundSection extends NamedSection {
  readonly finds: Step['finds']
}

export interface SearchEngine {
  insertSections(tx: Tx, rows: readonly SectionRow[]): Promise<void>
  /** Of these pages, or of the whole space. */
  deleteSections(tx: Tx, place: IndexPlace, pageIds?: readonly PageId[]): Promise<void>
  /** Brings what many changes left in parts a short step nearer to each other; answers whether there is more to do. */
  mergeParts(tx: Tx): Promise<boolean>
  /** Answers the sections that the steps find, those of the first step first, and `most` of them. */
  findSections(
    db: Db,
    searched: Searched,
    steps: readonly Step[],
    most: number,
  ): Promise<readonly FoundSection[]>
}

/** Answers what the steps found, each section once: by the first step that found it, or as a phrase. */
export function joinFound<Found extends { readonly id: number }>(
  steps: readonly Step[],
  lists: readonly (readonly Found[])[],
  most: number,
): readonly (Found & Pick<Step, 'finds'>)[] {
  const joined = new Map<number, Found & Pick<Step, 'finds'>>()
  for (const [at, { finds }] of steps.entries()) {
    for (const found of lists[at]!) {
      const isKnown = joined.has(found.id)
      if (isKnown ? finds === 'phrase' : joined.size < most) joined.set(found.id, { ...found, finds })
    }
  }
  return [...joined.values()]
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

/**
 * Words that no text holds, because they begin with a character that is no letter: a title or heading as a whole, a
 * word that stands in one, and where the section is. In hexadecimal, because an index may fold case and ids do not.
 */
export const marked = {
  name: (words: readonly string[]) => `\ue000${[...words.join('')].slice(0, longestWord).join('')}`,
  prominent: (word: string) => `\ue001${word}`,
  space: (id: SpaceId) => `\ue002${Buffer.from(id).toString('hex')}`,
  organization: (id: OrganizationId) => `\ue003${Buffer.from(id).toString('hex')}`,
  open: (id: SpaceId) => `\ue004${Buffer.from(id).toString('hex')}`,
  guarded: ({ spaceId, guard }: GuardPlace) => `\ue005${Buffer.from(spaceId).toString('hex')}g${guard}`,
}

/** Answers the marked words of a section. */
export function marksOf({ organizationId, spaceId, words, guard }: SectionRow): string[] {
  const { title, heading, name } = words
  return [
    marked.space(spaceId),
    marked.organization(organizationId),
    guard === undefined ? marked.open(spaceId) : marked.guarded({ spaceId, guard }),
    ...(name.length > 0 ? [marked.name(name)] : []),
    ...new Set([...title, ...heading].map(marked.prominent)),
  ]
}

/** Answers the marked words of which a section must hold one to be where the search is. */
export function marksOfScope(searched: Searched): string[] {
  if (!('spaceIds' in searched)) return [marked.organization(searched.organizationId)]
  const { spaceIds, guards } = searched
  return guards === undefined
    ? spaceIds.map(marked.space)
    : [...spaceIds.map(marked.open), ...guards.map(marked.guarded)]
}

/** Answers the join and the condition that leave out sections which may not be found; nothing for named spaces. */
export function joinSearched(searched: Searched, sectionSpace: string): RawBuilder<unknown> {
  if ('spaceIds' in searched) return sql``
  const condition = searched.isSearched(expressionBuilder<Tables, 'spaces'>())
  return sql`cross join spaces
    where spaces.organization_id = ${searched.organizationId} and spaces.id = ${sql.ref(sectionSpace)}
      and ${condition}`
}
