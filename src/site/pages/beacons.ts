/** Page beacons: feedback and views that readers report, only for pages that they may read. */
import { findPageByPath } from '../../core/pages/read.js'
import type { DocumentPage } from '../../core/pages/types.js'
import { type FeedbackResult, feedbackResultPage } from '../layout/feedback.js'
import { type VisibleContent, isReachable } from './content.js'
import { titleInLists } from './navigation.js'
import { type Assets, siteView } from './site-view.js'

/** Returns the page at exactly this path, where the reader may read it. */
export async function findBeaconPage(
  visible: VisibleContent,
  path: string,
): Promise<DocumentPage | undefined> {
  const { content } = visible
  const page = await content.run(findPageByPath(content.revision.snapshot, path))
  if (page?.type !== 'document' || page.path !== path) return undefined
  return (await isReachable(visible, page)) ? page : undefined
}

/** Returns the thank-you page after a rating; without a comment it asks for one. */
export function renderFeedbackPage(
  visible: VisibleContent,
  page: DocumentPage,
  { rating, comment }: { readonly rating: string; readonly comment: string | null },
  assets: Assets,
): string {
  const { linker } = visible
  const feedback: FeedbackResult = { page: { title: titleInLists(page), href: linker.page(page) } }
  if (comment !== null) return feedbackResultPage(siteView(visible, assets), feedback)
  return feedbackResultPage(siteView(visible, assets), {
    ...feedback,
    comment: { href: linker.beacon('feedback', page), rating },
  })
}
