/** Lines of values between commas, as spreadsheets write them. */

/** Returns the records of a text: values may stand in quotes, and hold commas, line ends and doubled quotes there. */
export function parseCsv(text: string): { readonly line: number; readonly values: readonly string[] }[] {
  const records: { line: number; values: string[] }[] = []
  let [values, value, line, begun]: [string[], string, number, number] = [[], '', 1, 1]
  let isQuoted = false
  const endRecord = (): void => {
    values.push(value)
    // A line with nothing on it is no record.
    if (values.length > 1 || value !== '') records.push({ line: begun, values })
    ;[values, value] = [[], '']
  }
  const source = text.replace(/^\ufeff/, '')
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]!
    if (character === '\n') line += 1
    if (isQuoted) {
      if (character !== '"') value += character
      else if (source[at + 1] === '"') {
        value += '"'
        at += 1
      } else isQuoted = false
    } else if (character === '"' && value === '') isQuoted = true
    else if (character === ',') {
      values.push(value)
      value = ''
    } else if (character === '\n') {
      endRecord()
      begun = line
    } else if (character !== '\r') value += character
  }
  endRecord()
  return records
}
