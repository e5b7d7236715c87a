/**
 * Memory estimate of a PDF before it is generated: one that cannot succeed is refused immediately, instead of after two
 * minutes at the memory limit. The factors are slightly below the measurements, so that no possible PDF is refused.
 */
import { ApiError } from '../../contract/errors.js'
import { printerMemory } from '../../store/printing/printer.js'

/** Kilobytes of memory per character of markup, per character of text, and per list item or table cell. */
const [perCharacter, perTextCharacter, perCell] = [0.05, 0.08, 30]
/** Kilobytes for an empty document. */
const baseMemory = 150_000

/** Kilobytes available for all pages together. */
export const maxPdfMemory = printerMemory * 1_000 - baseMemory

/** Returns the kilobytes of memory needed for the markup of a page. */
export function estimateMemory(markup: string): number {
  let textLength = markup.length
  let cells = 0
  for (const [tag] of markup.matchAll(/<[^<>]*>/g)) {
    textLength -= tag.length
    if (/^<(?:li|t[dh])\b/.test(tag)) cells++
  }
  return markup.length * perCharacter + textLength * perTextCharacter + cells * perCell
}

/** 413: the pages exceed the memory limit together. */
export class PdfTooLarge extends ApiError<'pdf_too_large'> {
  /** The first `fitting` of the `count` pages fit. */
  constructor(
    readonly fitting: number,
    count: number,
  ) {
    const limit = `the ${printerMemory} MB of memory that are possible`
    super('pdf_too_large', {
      problem:
        fitting === 0
          ? `its first page takes more than ${limit}`
          : `of its ${count} pages, ${fitting} from the first one take all of ${limit}`,
    })
  }
}
