/**
 * YAML of strangers, read within bounds.
 *
 * The YAML library recurses, and a regular expression first compiled close to the end of the stack ends
 * the whole process, which no `catch` prevents: so nesting is bounded before the library sees the text.
 */
import { isMapping } from '../mapping.js'
import { Composer, type CST, type Document, isNode, isScalar, Parser, visit, YAMLParseError } from 'yaml'
import type { Problem } from '../document/types.js'

/** Longer files are not read: no honest one comes near. */
const maxLength = 262_144
/** Brackets in the whole text, and columns before the first word of a line: together they bound the depth. */
const maxNesting = 250

// linear: begins with a line, and reads a bounded number of characters of it.
const tooDeep = new RegExp(`^(?:[ \\t]|[-?:](?=[ \\t])){${maxNesting}}`, 'm')

/** Returns whether the text is short and shallow enough to be given to the YAML library. */
export function isBoundedYaml(text: string): boolean {
  if (text.length > maxLength) return false
  let brackets = 0
  for (const _ of text.matchAll(/[[{]/g)) if (++brackets > maxNesting) return false
  return !tooDeep.test(text)
}

/** Returns the tree of a YAML text that `isBoundedYaml`, or of its first document, in linear time. */
export function parseYaml(text: string): Document {
  // The library compares each key with every other one of its mapping.
  const composer = new Composer({ logLevel: 'silent', prettyErrors: false, uniqueKeys: false })
  const tokens = untilError(new Parser().parse(text))
  const document = composer.compose(tokens, true, text.length).next().value as Document
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const [start, end] = (isNode(key) && key.range) || [0, 0]
        if (seen.has(key.value))
          document.errors.push(new YAMLParseError([start, end], 'DUPLICATE_KEY', 'Map keys must be unique'))
        seen.add(key.value)
      }
    },
  })
  return document
}

/** One error is enough: each takes as long as a hundred characters. */
function* untilError(tokens: Iterable<CST.Token>): Iterable<CST.Token> {
  for (const token of tokens) {
    yield token
    if (token.type === 'error') return
  }
}

/** Returns the mapping that a YAML text holds; an empty one and a problem for anything else. Never throws. */
export function readMapping(text: string): { value: Record<string, unknown>; problems: Problem[] } {
  const { value, problems } = readYaml(text)
  if (value === undefined || value === null || isMapping(value)) return { value: value ?? {}, problems }
  return {
    value: {},
    problems: [...problems, { message: 'A mapping is expected.', span: { start: 0, end: text.length } }],
  }
}

/** Returns the value of a YAML text, undefined when it cannot be read. Never throws. */
export function readYaml(text: string): { value: unknown; problems: Problem[] } {
  const problems: Problem[] = []
  const whole = { start: 0, end: text.length }
  if (!isBoundedYaml(text)) {
    return {
      value: undefined,
      problems: [{ message: 'The file is too long or too deep to be read.', span: whole }],
    }
  }
  try {
    const document = parseYaml(text)
    for (const { message, pos } of document.errors) {
      problems.push({ message: message.split('\n')[0]!, span: { start: pos[0], end: pos[1] } })
    }
    // Such keys are written out as texts, each level with all the levels in it: seconds for a small file.
    if (problems.length === 0 && hasCollectionKey(document)) {
      problems.push({ message: 'A key must be a plain word.', span: whole })
    }
    const value: unknown = problems.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 })
    return { value, problems }
  } catch {
    // Aliases beyond what a file of a person holds.
    return { value: undefined, problems: [{ message: 'The file is no readable YAML.', span: whole }] }
  }
}

/** Returns whether some key is no plain word: writing such keys out takes seconds for a few hundred bytes. */
export function hasCollectionKey(document: Document): boolean {
  let found = false
  visit(document, {
    Pair(_, { key }) {
      found ||= key !== null && !isScalar(key)
      return found ? visit.BREAK : undefined
    },
  })
  return found
}
