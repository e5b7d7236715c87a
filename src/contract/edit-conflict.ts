/** Conflict of an edit with what was written since its base: the body of its error holds both versions. */
import { ApiError } from './errors.js'

/** A page as one side has it; null where that side has none. */
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
  /** Set where it is not the text: `ours` and `theirs` are the values of the member. */
  readonly member?: string
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
