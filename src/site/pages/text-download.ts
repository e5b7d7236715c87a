/**
 * Download of Markdown files that are no pages, linked from a page. Only such a page contains the signed address, which
 * is valid for one version of the text: other files of a space, such as drafts, have no address.
 */
import { timingSafeEqual } from 'node:crypto'
import { parseFrontMatter } from '../../core/markdown/front-matter.js'
import { joinPath, nameOf } from '../../core/pages/paths.js'
import { entryAt } from '../../core/pages/read.js'
import type { Target } from '../../core/pages/targets.js'
import type { FileTarget } from '../blocks/context.js'
import type { TextDownload } from '../routing/match-path.js'
import { type VisibleContent, conditionHolds, readVisibleTexts } from './content.js'

/** Returns the text as a file; undefined for other types, and for the file that lists the pages. */
export function textDownloadTarget(
  { linker, content }: VisibleContent,
  { path, entry }: Extract<Target, { kind: 'text' }>,
): FileTarget | undefined {
  const { root, summary } = content.revision.snapshot.config
  if (!/\.(?:md|markdown)$/i.test(path) || path === joinPath(root, summary)) return undefined
  const href = linker.text(path, entry.text)
  return { href, name: nameOf(path), size: entry.size, contentType: 'text/markdown' }
}

/** Returns the text of a download address, without parts closed to the reader. */
export async function readTextDownload(
  visible: VisibleContent,
  { path, token }: TextDownload,
): Promise<string | undefined> {
  const { content, addresses, variant } = visible
  const entry = await content.run(entryAt(content.revision.snapshot, path))
  if (entry === undefined || !('text' in entry)) return undefined
  const expected = Buffer.from(addresses.textToken(variant.spaceId, path, entry.text))
  const actual = Buffer.from(token)
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  const [text] = await readVisibleTexts(visible, null, [entry.text])
  const { condition } = parseFrontMatter(text!).metadata
  return conditionHolds(visible, condition, null) ? text : undefined
}
