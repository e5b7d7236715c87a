/**
 * Bounded parsing of untrusted YAML.
 *
 * The YAML library recurses, and a regular expression first compiled close to the end of the stack crashes the whole
 * process, which no `catch` prevents: so nesting is bounded before the library gets the text.
 */
import { isMapping } from '../mapping.js'
import { Composer, type CST, type Document, isNode, isScalar, Parser, visit, YAMLParseError } from 'yaml'
import type { Problem } from '../document/types.js'

/** Longer files are not parsed: no legitimate one comes near. */
const maxLength = 262_144
/** Brackets in the whole text, and indentation of a line: together they bound the depth. */
const maxNesting = 250

// linear: anchored at a line start, and reads a bounded number of characters.
const tooDeep = new RegExp(`^(?:[ \\t]|[-?:](?=[ \\t])){${maxNesting}}`, 'm')

/** Returns whether the text is short and shallow enough for the YAML library. */
export function isBoundedYaml(text: string): boolean {
  if (text.length > maxLength) return false
  let brackets = 0
  for (const _ of text.matchAll(/[[{]/g)) if (++brackets > maxNesting) return false
  return !tooDeep.test(text)
}

/** Returns the tree of a YAML text (its first document) for which `isBoundedYaml` holds, in linear time. */
export function parseYaml(text: string): Document {
  // The library compares each key with every other one of its mapping: quadratic.
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

/** Only the first error is reported: each takes as long as a hundred characters. */
function* untilError(tokens: Iterable<CST.Token>): Iterable<CST.Token> {
  for (const token of tokens) {
    yield token
    if (token.type === 'error') return
  }
}

/** Returns the mapping of a YAML text; an empty one and a problem for anything else. Never throws. */
export function readMapping(text: string): { value: Record<string, unknown>; problems: Problem[] } {
  const { value, problems } = readYaml(text)
  if (value === undefined || value === null || isMapping(value)) return { value: value ?? {}, problems }
  return {
    value: {},
    problems: [...problems, { message: 'A mapping is expected.', span: { start: 0, end: text.length } }],
  }
}

/** Returns the value of a YAML text; undefined when it is invalid. Never throws. */
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
    // Such keys are stringified, each level including all levels in it: seconds for a small file.
    if (problems.length === 0 && hasCollectionKey(document)) {
      problems.push({ message: 'A key must be a plain word.', span: whole })
    }
    const value: unknown = problems.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 })
    return { value, problems }
  } catch {
    // More aliases than any hand-written file has.
    return { value: undefined, problems: [{ message: 'The file is no readable YAML.', span: whole }] }
  }
}

/** Returns whether some key is not a scalar: stringifying such keys takes seconds for a few hundred bytes. */
export function hasCollectionKey(document: Document): boolean {
  let isFound = false
  visit(document, {
    Pair(_, { key }) {
      isFound ||= key !== null && !isScalar(key)
      return isFound ? visit.BREAK : undefined
    },
  })
  return isFound
}
