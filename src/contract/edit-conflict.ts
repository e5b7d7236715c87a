/** Conflict of an edit with what was written since its base: the body of its error holds both versions. */
import type { Splice } from '../core/editing/splice.js'
import { ApiError } from './errors.js'

/** A page or reusable content as one side has it; null where that side has none. */
export type PageVersion = {
  readonly title: string
  readonly markdown?: string
  /** Of the text: may be the base of the next edit. */
  readonly hash?: string
} | null

/** What both sides changed: a page as a whole, one member of it, a file, or another text. */
export interface EditConflict {
  readonly page?: string
  readonly path?: string
  readonly file?: string
  readonly reusableContent?: string
  /** Set where it is not the text: `ours` and `theirs` are the values of the member. */
  readonly member?: string
  /** What the edit was made on, where that is asked for. */
  readonly base?: PageVersion
  /** The edit. */
  readonly ours: unknown
  /** The current content. */
  readonly theirs: unknown
}

export class EditConflictError extends ApiError<'edit_conflict'> {
  override readonly more: { readonly revision: string; readonly conflicts: readonly EditConflict[] }

  /** `revision` is the one that `theirs` are in. */
  constructor(conflicts: readonly EditConflict[], revision: string) {
    super('edit_conflict')
    this.more = { revision, conflicts }
  }
}

/** Why an edit of a text is refused. */
type TextRefusal = 'edit_conflict' | 'edit_base_unknown' | 'page_gone'

/** An edit of a text that cannot be merged: with all versions of the page, and the edit as it was sent. */
export class TextConflictError extends ApiError<TextRefusal> {
  override readonly more: {
    /** The one that `theirs` are in. */
    readonly revision: string
    readonly conflicts: readonly EditConflict[]
    /** Of a page that was deleted. */
    readonly lastRevision?: string
    readonly sent: { readonly base: string; readonly splices: readonly Splice[] }
  }

  constructor(name: TextRefusal, more: TextConflictError['more']) {
    super(name)
    this.more = more
  }
}
