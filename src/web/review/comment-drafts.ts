/** Comments that are being written: kept in this browser, by what they are about, until they are sent. */

const prefix = 'octavo-comment-draft '

export function readCommentDraft(key: string): string {
  try {
    return localStorage.getItem(prefix + key) ?? ''
  } catch {
    return ''
  }
}

export function writeCommentDraft(key: string, words: string): void {
  try {
    if (words === '') localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, words)
  } catch {
    // Where storage is full or forbidden, the words are in the field alone.
  }
}
