/**
 * ReDoS: every regular expression of `src` takes time linear in its text, from any start: a pattern such as
 * `/[ab]+$/`, which tries each letter as the first of the last ones, takes quadratic time and is refused.
 *
 * `scslre` finds loops that trade characters with each other, and those that restart at each character; it misses those
 * that begin with a literal (`/<a[^>]*>/` on `<a<a<a`), which this test finds. A pattern that is composed at run time,
 * or that is linear for a reason that no tool sees, has a comment that begins with `linear:`, on its line or above.
 */
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { getConsumedChars, type ReadonlyFlags } from 'regexp-ast-analysis'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'

const source = fileURLToPath(new URL('../src', import.meta.url))

const files = (await readdir(source, { recursive: true }))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('testing.ts'))
  .toSorted()

/** Returns why a pattern is not linear; undefined when it is. */
function reasonAgainst(pattern: string, flags: string): string | undefined {
  const { reports } = analyse({ source: pattern, flags })
  const [report] = reports
  if (report) return report.exponential ? 'takes exponential time' : 'takes the square of the text'
  const restarts = findRestart(pattern, flags)
  return restarts && `begins again inside ${restarts}`
}

/** A loop over characters with which the pattern may begin again, followed by something that may fail. */
function findRestart(pattern: string, written: string): string | undefined {
  if (written.includes('y')) return undefined
  const parser = new RegExpParser()
  const flags = parser.parseFlags(written) as ReadonlyFlags
  const charactersOf = (node: AST.Element) => getConsumedChars(node, flags).chars
  const parsed = parser.parsePattern(pattern, 0, pattern.length, { unicode: flags.unicode ?? false })
  let found: string | undefined
  visitRegExpAST(parsed, {
    onQuantifierEnter(loop) {
      if (loop.max !== Infinity) return
      const { before, after, looks } = surroundings(loop)
      const characters = charactersOf(loop)
      const runsOver = before.every((one) => {
        if (one.type === 'Quantifier' && one.min === 0) return true
        if (one.type !== 'Assertion') return !charactersOf(one).isDisjointWith(characters)
        // The start of a line matches again where the loop runs over line ends.
        return one.kind !== 'start' || (flags.multiline === true && characters.has(10))
      })
      const mayFail = looks || after.some((one) => !(one.type === 'Quantifier' && one.min === 0))
      if (runsOver && mayFail) found ??= loop.raw
    },
  })
  return found
}

/** The elements before and after a loop on a path through the pattern, and whether it is in a lookaround. */
function surroundings(loop: AST.Quantifier): { before: AST.Element[]; after: AST.Element[]; looks: boolean } {
  const before: AST.Element[] = []
  const after: AST.Element[] = []
  let looks = false
  for (let node = loop as AST.Node | null; node; node = node.parent) {
    if (node.type === 'Assertion') looks = true
    const outer: AST.Node | null = node.parent
    if (outer?.type !== 'Alternative') continue
    const row = outer.elements
    const at = row.indexOf(node as AST.Element)
    before.push(...row.slice(0, at))
    after.push(...row.slice(at + 1))
  }
  return { before, after, looks }
}

interface Finding {
  readonly place: string
  readonly pattern: string
  readonly reason: string
}

interface Syntax {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: Syntax & { readonly name?: string }
  readonly arguments?: readonly (Syntax & { readonly value?: unknown })[]
}

function findingsIn(name: string, text: string): Finding[] {
  const lines = text.split('\n')
  const findings: Finding[] = []
  const report = ({ start, end }: Syntax, reason: string | undefined) => {
    if (reason === undefined) return
    const line = text.slice(0, start).split('\n').length - 1
    let first = line
    while (first > 0 && /^\s*(?:\/\/|\/?\*)/.test(lines[first - 1]!)) first--
    const isExplained = lines.slice(first, line + 1).some((one) => /(?:\/\/|\*) linear: \S/.test(one))
    if (!isExplained) findings.push({ place: `${name}:${line + 1}`, pattern: text.slice(start, end), reason })
  }
  const pendingNodes: unknown[] = [parseAst(text, { lang: 'ts' })]
  while (pendingNodes.length > 0) {
    const next = pendingNodes.pop()
    if (typeof next !== 'object' || next === null || next instanceof RegExp) continue
    pendingNodes.push(...(Object.values(next) as unknown[]).toReversed())
    const node = next as Syntax
    if (node.regex) report(node, reasonAgainst(node.regex.pattern, node.regex.flags))
    if (node.callee?.name !== 'RegExp') continue
    const [pattern, flags] = node.arguments!.map(({ value }) => value)
    const isPlain = typeof pattern === 'string' && (flags === undefined || typeof flags === 'string')
    report(node, isPlain ? reasonAgainst(pattern, flags ?? '') : 'is put together while the program runs')
  }
  return findings
}

test.each([
  '/[ab]+$/', '/\\s+$/', '/^-+|-+$/g', '/(a+)+$/', '/a.*b/', '/(?:a|a)*c/', '/\\[[^\\]]*\\]\\(/', '/<!--[^]*?-->/', '/<span[^>]*>/g', '/\\s*\\n\\s*$/',
  '/\\{%.*%\\}/', '/"(?:[^"\\\\]|\\\\.)*"/g', '/^a[^]*b/m', '/x(?=[^y]*y)/', '/[^@]+@/', '/-----BEGIN[\\s\\S]+?-----END/g', "new RegExp(`${'a'}+b`)", "new RegExp('a+b')",
])('%s is refused', (pattern) => {
  expect(findingsIn('a.ts', `const a = 1\nconst found = ${pattern}\n`)).toMatchObject([{ place: 'a.ts:2' }])
}) // prettier-ignore

test.each([
  '/^[ab]+$/', '/[ab]+$/y', '/\\s+/g', '/<span[^<>]*>/g', '/^\\s*\\n/', '/[?#].*/s', '/a{1,9}b/', '/\\[[^\\][]*\\]/', '/^a.*b/', '/^ *a$/m', '/\\bcolor:\\s*red/', "new RegExp('^a+b')",
  '/[ab]+$/ // linear: only names of 64 letters are tested',
])('%s is linear', (pattern) => {
  expect(findingsIn('a.ts', `const found = ${pattern}\n`)).toEqual([])
}) // prettier-ignore

test('no pattern of the source takes more than linear time', () => {
  const findings = files.flatMap((name) => findingsIn(name, readFileSync(join(source, name), 'utf8')))
  expect(findings).toEqual([])
})
