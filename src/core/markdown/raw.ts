/** `{% raw %} … {% endraw %}`: what looks like a tag between the two is text, and the two are not shown. */
import type { Tag } from './tags.js'

/** Returns the marks themselves, and the tags that stand outside of them; a mark without partner is such a tag. */
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
  // The last one was never ended: everything behind it means what it says.
  for (const tag of within) others.push(tag)
  return { marks, others }
}

/** Returns the text so that nothing in it is a tag. */
export function formatRaw(text: string): string {
  return `{% raw %}${text}{% endraw %}`
}
