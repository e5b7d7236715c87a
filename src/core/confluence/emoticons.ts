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

/** What an emoticon says of itself; the newer the wiki, the more of it. */
export interface Emoticon {
  readonly name: string | undefined
  /** The sign itself, or a short name such as `:cross_mark:` where there is none. */
  readonly fallback: string | undefined
  /** Its code points in hexadecimal, or a name of the wiki's own. */
  readonly id: string | undefined
}

/** Returns the sign of an emoticon; a short name for one that has none, undefined when it says nothing of itself. */
export function emojiOf({ name, fallback, id }: Emoticon): string | undefined {
  if (fallback !== undefined && !/^:[^:]*:$/.test(fallback)) return fallback
  // Those that it had no name for at first are all called so.
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
