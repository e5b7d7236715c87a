/**
 * What pages take to be set, before they are: what cannot succeed is refused at once, instead of after two minutes at
 * the limit of memory. The figures are a little below what is measured, so that nothing is refused that could be made.
 */
import { ApiError } from '../../contract/errors.js'
import { printerMemory } from '../../store/printing/printer.js'

/** Kilobytes of memory: of every character, of one that is read, and of an entry of a list or a cell of a table. */
const [perCharacter, perTextCharacter, perCell] = [0.05, 0.08, 30]
/** Kilobytes that it takes to set nothing. */
const baseMemory = 150_000

/** Kilobytes that all pages may take together. */
export const maxPdfMemory = printerMemory * 1_000 - baseMemory

/** Returns the kilobytes of memory that are taken by what stands on a page, as a site shows it. */
export function estimateMemory(markup: string): number {
  let textLength = markup.length
  let cells = 0
  for (const [tag] of markup.matchAll(/<[^<>]*>/g)) {
    textLength -= tag.length
    if (/^<(?:li|t[dh])\b/.test(tag)) cells++
  }
  return markup.length * perCharacter + textLength * perTextCharacter + cells * perCell
}

/** 413: pages that cannot be set together. */
export class PdfTooLarge extends ApiError<'pdf_too_large'> {
  /** `fitting` of the `count` pages are those from the first one that can. */
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
