/**
 * Examples of the documentation: code fences in Markdown, with their positions and instructions. Two HTML comments,
 * invisible to readers, are instructions:
 *
 *   <!-- example: not run, REASON -->   before a fence
 *   <!-- examples: after PATH -->       before the first fence: in the same shell, after those of the other page
 */
export interface Example {
  /** As an editor opens it: `docs/page.md:12`. */
  readonly place: string
  readonly language: string
  readonly text: string
  /** Why it is not run. */
  readonly reason: string | undefined
  /** Whether only blank lines are between it and the example before it. */
  readonly isAnswer: boolean
}

export interface ExamplePage {
  readonly file: string
  /** The page whose examples come first, from the folder of this one. */
  readonly after: string | undefined
  readonly examples: readonly Example[]
}

/** Returns the examples of a page in their order. */
export function collectExamples(file: string, source: string): ExamplePage {
  const examples: Example[] = []
  const lines = source.split('\n')
  let reason: string | undefined
  let isAnswer = false
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!
    reason = /^<!-- example: not run, (.+) -->$/.exec(line)?.[1] ?? reason
    const [, fence, language] = /^(`{3,})(\S*)$/.exec(line) ?? []
    if (fence === undefined) {
      if (line !== '') isAnswer = false
      continue
    }
    const end = lines.indexOf(fence, at + 1)
    const place = `${file}:${at + 1}`
    if (end < 0) throw new Error(`${place} has no end`)
    examples.push({ place, language: language!, text: lines.slice(at + 1, end).join('\n'), reason, isAnswer })
    at = end
    reason = undefined
    isAnswer = true
  }
  return { file, after: /^<!-- examples: after (\S+) -->$/m.exec(source)?.[1], examples }
}

/**
 * Returns where an answer differs from the one that a page shows, undefined where it does not. In the documented answer
 * `…` matches anything, within a text too, and the member `"…": "…"` matches further members.
 */
export function differsFrom(documented: unknown, answer: unknown, at = 'the answer'): string | undefined {
  if (documented === '…') return undefined
  if (typeof documented === 'string' && typeof answer === 'string') {
    const parts = documented.split('…').map((part) => part.replace(/[^\w\s]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^]*')}$`).test(answer) ? undefined : tell()
  }
  if (typeof documented !== 'object' || documented === null)
    return Object.is(documented, answer) ? undefined : tell()
  if (typeof answer !== 'object' || answer === null) return tell()
  const names = Object.keys(documented).filter((name) => name !== '…')
  const more = Object.keys(answer).filter((name) => !names.includes(name))
  if (more.length > 0 && !Object.hasOwn(documented, '…')) return `${at} has also ${more.join(', ')}`
  for (const name of names) {
    const [one, other] = [documented, answer] as Record<string, unknown>[]
    const difference = differsFrom(one![name], other![name], `${at}.${name}`)
    if (difference !== undefined) return difference
  }
  return undefined

  function tell(): string {
    return `${at} is ${JSON.stringify(answer)}, not ${JSON.stringify(documented)}`
  }
}
