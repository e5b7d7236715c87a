/**
 * Errors of page tree edits. A failed edit discards its whole batch.
 */

export const editErrors = {
  'page-not-found': 'There is no page with this id.',
  'page-exists': 'There is a page with this id already.',
  'file-not-found': 'There is no file with this id.',
  'inside-itself': 'A page cannot be moved under itself or one of its subpages.',
  'group-below-top': 'A group stands at the top level only.',
  'too-deep': 'A page stands below at most 64 others, and its path has at most 2,048 bytes.',
  'no-content':
    'A new page has a document, or what it is computed from, or the target of a link; a group has a type.',
  'no-title': 'A title is needed: in the front matter of the text, or as a member of the change.',
  'other-type': 'The page had another type in that revision.',
  'not-a-group': 'Only groups become documents.',
  'invalid-front-matter': 'The front matter of the page is no valid YAML.',
  'not-computed': 'Only computed pages are computed from something.',
  'no-subpages': 'Links and computed pages have no subpages.',
  'name-taken': 'A page or a file stands at this path already.',
  'member-of-text': 'This member of a document is part of its text.',
  'no-link-title': 'Only documents have a link title.',
  'needs-import': 'Other folders or names for the content take effect by an import.',
  'not-a-document': 'Only documents have a text and a file.',
} as const

export type EditErrorCode = keyof typeof editErrors

/** Thrown by invalid edits; `subject` is the id or path that they named. */
export class EditError extends Error {
  readonly refusal: EditErrorCode
  readonly subject: string

  constructor(refusal: EditErrorCode, subject: string) {
    super(`${editErrors[refusal]} (${subject})`)
    this.name = 'EditError'
    this.refusal = refusal
    this.subject = subject
  }
}
