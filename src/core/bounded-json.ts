/**
 * Bounded JSON parsing for untrusted request bodies: the values and the depth are counted before the text is parsed,
 * because a few megabytes of brackets would become gigabytes of objects, and prototype keys are refused.
 */
import { parse } from 'secure-json-parse'
import { scanJson } from './json-scan.js'

export interface JsonLimits {
  readonly values: number
  readonly depth: number
}

/** Either the value, or why there is none: invalid JSON or a prototype key, or the exceeded limit. */
export type ParsedJson =
  | { readonly value: unknown; readonly refusal?: never }
  | { readonly refusal: 'invalid' | keyof JsonLimits }

/** Returns the value of a JSON text within the limits. Never throws. */
export function parseBoundedJson(text: string, limits: JsonLimits): ParsedJson {
  try {
    requireBounded(text, limits)
    return { value: parse(text) as unknown }
  } catch (error) {
    return { refusal: error instanceof LimitExceeded ? error.limit : 'invalid' }
  }
}

class LimitExceeded extends Error {
  constructor(readonly limit: keyof JsonLimits) {
    super(limit)
  }
}

/** Counts values by commas and containers; throws `LimitExceeded` at the first too many. */
function requireBounded(text: string, limits: JsonLimits): void {
  let depth = 0
  let values = 1
  const count = (): void => {
    if (++values > limits.values) throw new LimitExceeded('values')
  }
  scanJson(text, {
    count,
    open() {
      count()
      if (++depth > limits.depth) throw new LimitExceeded('depth')
    },
    close: () => depth--,
  })
}
