/**
 * CSV parser for files that spreadsheets and other programs write: accepts rows of different lengths, stray quotes, and a
 * quote without an end, which ends with the text.
 */
import { CsvError, type Options, parse } from 'csv-parse/sync'

const options: Options = {
  bom: true,
  relax_quotes: true,
  relax_column_count: true,
  record_delimiter: ['\r\n', '\n', '\r'],
}

export interface CsvRecord {
  /** The number of its first line, from 1. */
  readonly line: number
  readonly values: readonly string[]
}

/** Returns the values of each record; an empty line is a record of one empty value. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  return parseRecords(text, options) as string[][]
}

/** Returns the records that are no empty lines, with their line numbers. */
export function parseCsvLines(text: string): readonly CsvRecord[] {
  const records = parseRecords(text, { ...options, raw: true }) as { record: string[]; raw: string }[]
  let line = 1
  return records.flatMap(({ record: values, raw }) => {
    const record = { line, values }
    line += raw.match(/\r\n|\n|\r/g)?.length ?? 0
    return values.length > 1 || values[0] !== '' ? [record] : []
  })
}

function parseRecords(text: string, readOptions: Options): unknown[] {
  try {
    return parse(text, readOptions)
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error
    return parse(`${text}"`, readOptions)
  }
}
