/** Reusable content, included in many pages. */
import type { ReusableContent } from '../../core/document/types.js'
import { type Html, nothing } from '../html.js'
import type { PageRenderer } from './context.js'

/** The blocks of the included content; nothing if it is unknown or recursive. */
export function renderReusableContent(block: ReusableContent, page: PageRenderer): Html {
  return page.included(block.src) ?? nothing
}
