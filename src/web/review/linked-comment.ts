/** The comment that an address links to, as `?comment=…` of an inbox or a mail: where it is, and opened there. */
import { useEffect, useState } from 'react'
import { spaceComments } from '../../contract/comments.js'
import { api } from '../api/client.js'
import { spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { openComment } from './comment-place.js'

const readLinkedComment = (): string | undefined =>
  new URLSearchParams(location.search).get('comment') ?? undefined

/** Returns the comment that the address named when the component was mounted. */
export const useLinkedComment = (): string | undefined => useState(readLinkedComment)[0]

/** Opens the page of a space that the linked comment is on, with the comment beside it. */
export function useLinkToPage(space: string): void {
  const comment = useLinkedComment()
  useEffect(() => {
    if (comment === undefined) return
    const find = async () => {
      const params = { spaceId: space, commentId: comment }
      const { target } = await api.call(spaceComments.get, { params })
      if (target.page === undefined || readLinkedComment() !== comment) return
      navigate(spacePath(space, target.page.path), { replace: true })
      openComment(comment)
    }
    // A comment that is gone leaves the space as it is.
    void find().catch(() => {})
  }, [space, comment])
}
