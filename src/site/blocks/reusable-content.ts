/** Content kept once and shown in many pages. */
import type { ReusableContent } from '../../core/document/types.js'
import { type Html, nothing } from '../html.js'
import type { Rendering } from './context.js'

/** The blocks of the content as if they stood here; nothing when it is unknown or contains itself. */
export function renderReusableContent(block: ReusableContent, page: Rendering): Html {
  return page.included(block.src) ?? nothing
}
