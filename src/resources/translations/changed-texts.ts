/** Change detection of translations: the source pages that changed since the last run, and all pages of a first run. */
import type { PageId } from '../../core/ids.js'
import { diff, range } from '../../core/merkle/map.js'
import type { NameEntry, Snapshot } from '../../core/pages/types.js'
import type { ContentContext } from '../content/content.js'
import { isTranslatable } from './translatable-texts.js'

/**
 * Returns the ids of the pages that differ between two contents of one space, and of the included texts that differ.
 */
export async function findChangedTexts(before: Snapshot, content: ContentContext): Promise<PageId[]> {
  const now = content.revision.snapshot
  const pages = await content.run(diff(before.pages, now.pages))
  const names = await content.run(diff(before.names, now.names))
  const texts = names.filter(({ key, before: previous, after }) =>
    isText(previous) || isText(after) ? isTranslatable(key, content) : false,
  )
  return [...pages.map(({ key }) => key as PageId), ...texts.map(({ key }) => `/${key}` as PageId)]
}

function isText(entry: unknown): entry is Extract<NameEntry, { text: unknown }> {
  return typeof entry === 'object' && entry !== null && 'text' in entry
}

/** Returns the ids of all pages of a content, and of all included texts. */
export async function allTexts(content: ContentContext): Promise<PageId[]> {
  const { pages, names } = content.revision.snapshot
  const all = await content.run(range(pages))
  const namedFiles = await content.run(range(names))
  return [
    ...all.map(([key]) => key as PageId),
    ...namedFiles
      .filter(([path, entry]) => isText(entry) && isTranslatable(path, content))
      .map(([path]) => `/${path}` as PageId),
  ]
}
