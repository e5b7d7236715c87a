/**
 * The examples of the documentation: fences of Markdown, with where they stand and what is said of them to whoever
 * writes there. Two comments count, which no reader sees:
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
  /** Whether nothing but blank lines stands between it and the example before it. */
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
 * Returns where an answer differs from the one that a page shows, undefined where it does not. In what is shown `…`
 * stands for anything, within a text too, and the member `"…": "…"` for more of them.
 */
export function differsFrom(shown: unknown, answer: unknown, at = 'the answer'): string | undefined {
  if (shown === '…') return undefined
  if (typeof shown === 'string' && typeof answer === 'string') {
    const parts = shown.split('…').map((part) => part.replace(/[^\w\s]/g, '\\$&'))
    return new RegExp(`^${parts.join('[^]*')}$`).test(answer) ? undefined : tell()
  }
  if (typeof shown !== 'object' || shown === null) return Object.is(shown, answer) ? undefined : tell()
  if (typeof answer !== 'object' || answer === null) return tell()
  const names = Object.keys(shown).filter((name) => name !== '…')
  const more = Object.keys(answer).filter((name) => !names.includes(name))
  if (more.length > 0 && !Object.hasOwn(shown, '…')) return `${at} has also ${more.join(', ')}`
  for (const name of names) {
    const [one, other] = [shown, answer] as Record<string, unknown>[]
    const difference = differsFrom(one![name], other![name], `${at}.${name}`)
    if (difference !== undefined) return difference
  }
  return undefined

  function tell(): string {
    return `${at} is ${JSON.stringify(answer)}, not ${JSON.stringify(shown)}`
  }
}
