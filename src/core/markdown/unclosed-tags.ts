/** Unclosed dialect tags: decides where each of them ends, so that its content is preserved. */
import type { Partner, TagToken, Token } from './nodes.js'

interface OpenTag {
  readonly token: TagToken
  readonly index: number
  /** Whether a tag for one block has that block. */
  isFilled: boolean
}

/** The unclosed tags inside one closed tag. */
interface Frame {
  readonly open: OpenTag[]
  readonly counts: Map<string, number>
}

/**
 * Sets the end position of every unclosed opening tag that is not self-contained. Returns how many tags end before
 * each token; `ends` are the end tags of all closed ones.
 */
export function closeUnclosedTags(
  tokens: readonly Token[],
  partners: Map<number, Partner>,
  ends: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const endings = new Map<number, number>()
  const frames: Frame[] = [{ open: [], counts: new Map() }]
  const endLast = ({ open, counts }: Frame, at: number): OpenTag => {
    const last = open.pop()!
    const { name } = last.token.tag
    counts.set(name, counts.get(name)! - 1)
    partners.set(last.index, { index: at, isEndMark: false })
    endings.set(at, (endings.get(at) ?? 0) + 1)
    return last
  }
  tokens.forEach((token, index) => {
    const frame = frames.at(-1)!
    while (frame.open.at(-1)?.isFilled) endLast(frame, index)
    const last = frame.open.at(-1)
    if (token.kind !== 'tag token') {
      if (last?.token.ending === 'next block' && token.kind === 'markdown') last.isFilled = true
      return
    }
    const { name, closes } = token.tag
    if (closes) {
      if (!ends.has(index)) return
      while (frame.open.length > 0) endLast(frame, index)
      frames.pop()
      return
    }
    if (token.ending === 'next part' && frame.counts.get(name)) {
      while (endLast(frame, index).token.tag.name !== name);
    }
    if (partners.has(index)) frames.push({ open: [], counts: new Map() })
    else if (token.ending !== 'alone') {
      frame.open.push({ token, index, isFilled: false })
      frame.counts.set(name, (frame.counts.get(name) ?? 0) + 1)
    }
  })
  const frame = frames[0]!
  while (frame.open.length > 0) endLast(frame, tokens.length)
  return endings
}
