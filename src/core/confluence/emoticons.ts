/** The small pictures of Confluence, by the names that it has for them. */
const emoticons = new Map(
  Object.entries({
    smile: '🙂',
    sad: '🙁',
    cheeky: '😛',
    laugh: '😀',
    wink: '😉',
    'thumbs-up': '👍',
    'thumbs-down': '👎',
    information: 'ℹ️',
    tick: '✅',
    cross: '❌',
    warning: '⚠️',
    plus: '➕',
    minus: '➖',
    question: '❓',
    'light-on': '💡',
    'light-off': '💡',
    'yellow-star': '⭐',
    'red-star': '⭐',
    'green-star': '⭐',
    'blue-star': '⭐',
    heart: '❤️',
    'broken-heart': '💔',
  }),
)

/** Returns the emoji of an emoticon, undefined for one that is not known. */
export function emojiOf(name: string): string | undefined {
  return emoticons.get(name)
}
