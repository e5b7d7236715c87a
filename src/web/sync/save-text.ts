/** Reads and saves the text of a page through the API, with what each refusal means for the person. */
import { changeRequestContent, spaceContent } from '../../contract/content.js'
import {
  editChangeRequestText,
  editSpaceText,
  type PageText,
  type TextEdit,
  type TextEdited,
} from '../../contract/page-text.js'
import { ApiRequestError, api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import type { ContentSource } from '../api/queries.js'
import type { Refusal, SaveAnswer } from './text-session.js'

export function fetchPageText(source: ContentSource, pageId: string): Promise<PageText> {
  const params = { pageId }
  return api.call(...contentRequest(source, spaceContent.pageText, changeRequestContent.pageText, { params }))
}

function sendEdit(source: ContentSource, pageId: string, body: TextEdit): Promise<TextEdited> {
  const params = { pageId }
  return api.call(...contentRequest(source, editSpaceText, editChangeRequestText, { params, body }))
}

/** Sends an edit; `onSaved` receives the whole answer before the session continues. */
export async function saveText(
  source: ContentSource,
  pageId: string,
  edit: TextEdit,
  onSaved?: (answer: TextEdited) => void,
): Promise<SaveAnswer> {
  try {
    const answer = await sendEdit(source, pageId, edit)
    onSaved?.(answer)
    const { hash, came, width = 0 } = answer
    return { kind: 'saved', hash, came, splices: width === 0 ? edit.splices : edit.wider![width - 1]! }
  } catch (error) {
    if (!(error instanceof ApiRequestError)) throw error
    const { status, message } = error
    if (status === 401) return { kind: 'signedOut' }
    if (status === 0 || status === 408 || status === 429 || status >= 500) return { kind: 'unreachable' }
    const theirs = status === 409 ? storedVersion(error) : undefined
    if (theirs !== undefined) return { kind: 'conflict', theirs }
    return { kind: 'refused', reason: reasonOf(error), message }
  }
}

function reasonOf({ status, more }: ApiRequestError): Refusal['reason'] {
  if (status === 403) return 'forbidden'
  if (status === 404) return 'gone'
  if (status !== 409) return 'other'
  // Both name what is left of the page.
  return 'lastRevision' in more || 'conflicts' in more ? 'gone' : 'closed'
}

/** Returns the stored text of a conflict; undefined when the page is gone. */
function storedVersion({
  more,
}: ApiRequestError): { readonly hash: string; readonly text: string } | undefined {
  const [conflict] = (more['conflicts'] ?? []) as readonly {
    readonly theirs?: { readonly markdown?: string; readonly hash?: string } | null
  }[]
  const { markdown, hash } = conflict?.theirs ?? {}
  return markdown === undefined || hash === undefined ? undefined : { hash, text: markdown }
}
