/** `{% raw %} … {% endraw %}`: tags between the two are text, and the two themselves are not rendered. */
import type { Tag } from './tags.js'

/** Returns the raw tags themselves, and the tags outside of them; an unpaired raw tag counts as an ordinary one. */
export function splitRaw(tags: readonly Tag[]): { marks: readonly Tag[]; others: readonly Tag[] } {
  const marks: Tag[] = []
  const others: Tag[] = []
  let within: Tag[] = []
  for (const tag of tags) {
    const isMark = tag.name === 'raw'
    if (within.length === 0) {
      if (isMark && !tag.closes) within = [tag]
      else others.push(tag)
    } else if (isMark && tag.closes) {
      marks.push(within[0]!, tag)
      within = []
    } else within.push(tag)
  }
  // The last one is unclosed: the tags after it count.
  for (const tag of within) others.push(tag)
  return { marks, others }
}

/** Returns the text wrapped so that nothing in it is a tag. */
export function formatRaw(text: string): string {
  return `{% raw %}${text}{% endraw %}`
}
