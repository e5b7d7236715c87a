/**
 * Markdown that is no page, where a page offers it as a file to download. Its address is shown by such a page alone,
 * and ends with the text: what else lies beside the pages of a space, such as drafts, is at no address.
 */
import { timingSafeEqual } from 'node:crypto'
import { parseFrontMatter } from '../../core/markdown/front-matter.js'
import { joinPath, nameOf } from '../../core/pages/paths.js'
import { entryAt } from '../../core/pages/read.js'
import type { Target } from '../../core/pages/targets.js'
import type { FileTarget } from '../blocks/context.js'
import type { OfferedText } from '../routing/match-path.js'
import { type ShownContent, holdsHere, readOpenTexts } from './content.js'

/** Returns the text as a file; undefined for what names the pages of a space or sets it up. */
export function offeredText(
  { linker, content }: ShownContent,
  { path, entry }: Extract<Target, { kind: 'text' }>,
): FileTarget | undefined {
  const { root, summary } = content.revision.snapshot.config
  if (!/\.(?:md|markdown)$/i.test(path) || path === joinPath(root, summary)) return undefined
  const href = linker.text(path, entry.text)
  return { href, name: nameOf(path), size: entry.size, contentType: 'text/markdown' }
}

/** Returns the text that an address names, as its reader may have it. */
export async function readOffered(
  shown: ShownContent,
  { path, token }: OfferedText,
): Promise<string | undefined> {
  const { content, addresses, variant } = shown
  const entry = await content.run(entryAt(content.revision.snapshot, path))
  if (entry === undefined || !('text' in entry)) return undefined
  const expected = Buffer.from(addresses.textToken(variant.spaceId, path, entry.text))
  const given = Buffer.from(token)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const [text] = await readOpenTexts(shown, null, [entry.text])
  const { condition } = parseFrontMatter(text!).metadata
  return holdsHere(shown, condition, null) ? text : undefined
}
