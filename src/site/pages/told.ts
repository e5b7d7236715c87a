/** What readers tell of a page, and of which: only what they may read can be told of. */
import { findPageByPath } from '../../core/pages/read.js'
import type { DocumentPage } from '../../core/pages/types.js'
import { type GivenFeedback, feedbackPage } from '../layout/feedback.js'
import { type ShownContent, isReachable } from './content.js'
import { titleInLists } from './navigation.js'
import { type Assets, siteView } from './site-view.js'

/** Returns the page at a path, written as it is, if it is there for its reader. */
export async function findToldPage(shown: ShownContent, path: string): Promise<DocumentPage | undefined> {
  const { content } = shown
  const page = await content.run(findPageByPath(content.revision.snapshot, path))
  if (page?.type !== 'document' || page.path !== path) return undefined
  return (await isReachable(shown, page)) ? page : undefined
}

/** Returns what a reader is answered who has said what they think of a page; without a comment they are asked for one. */
export function answerFeedback(
  shown: ShownContent,
  page: DocumentPage,
  { rating, comment }: { readonly rating: string; readonly comment: string | null },
  assets: Assets,
): string {
  const { linker } = shown
  const given: GivenFeedback = { page: { title: titleInLists(page), href: linker.page(page) } }
  if (comment !== null) return feedbackPage(siteView(shown, assets), given)
  return feedbackPage(siteView(shown, assets), {
    ...given,
    comment: { href: linker.told('feedback', page), rating },
  })
}
