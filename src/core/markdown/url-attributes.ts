/** Attributes of HTML elements outside the dialect that hold a destination, and what they refer to. */
export const urlAttributes: ReadonlyMap<string, 'link' | 'file' | 'image'> = new Map([
  ['src', 'file'],
  ['poster', 'image'],
  ['href', 'link'],
])
