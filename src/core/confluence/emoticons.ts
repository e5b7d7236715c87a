/** Confluence emoticons as emoji, by name. */
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

/** Attributes of an emoticon; newer Confluence versions write more of them. */
export interface Emoticon {
  readonly name: string | undefined
  /** The emoji itself, or a short name such as `:cross_mark:`. */
  readonly fallback: string | undefined
  /** Its code points in hexadecimal, or the name of a custom emoji. */
  readonly id: string | undefined
}

/** Returns the emoji of an emoticon, else its short name; undefined when it has neither. */
export function emojiOf({ name, fallback, id }: Emoticon): string | undefined {
  if (fallback !== undefined && !/^:[^:]*:$/.test(fallback)) return fallback
  // Emoji without an old emoticon name are all called blue-star.
  const isNamed = name !== 'blue-star' || (id ?? fallback) === undefined
  return signOf(id) ?? (isNamed ? emoticons.get(name ?? '') : undefined) ?? fallback
}

function signOf(id: string | undefined): string | undefined {
  if (id === undefined || !/^[\da-f]{2,6}(?:-[\da-f]{2,6}){0,9}$/i.test(id)) return undefined
  const points = id.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point < 0xd800 || (point > 0xdfff && point <= 0x10ffff))
    ? String.fromCodePoint(...points)
    : undefined
}
