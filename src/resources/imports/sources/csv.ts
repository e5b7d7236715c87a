/** CSV parser (RFC 4180): comma-separated values with optional quotes. */

/** Returns the rows of a table; an unterminated quote ends with the text. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    const { value, end } = readValue(text, at)
    row.push(value)
    at = end
    if (text[at] === ',') {
      at++
      if (at === text.length) row.push('')
      continue
    }
    if (text.startsWith('\r\n', at)) at += 2
    else at++
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}

function readValue(text: string, start: number): { value: string; end: number } {
  if (text[start] !== '"') {
    let end = start
    while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++
    return { value: text.slice(start, end), end }
  }
  const parts: string[] = []
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return { value: parts.join('') + text.slice(at), end: text.length }
    parts.push(text.slice(at, quote))
    if (text[quote + 1] !== '"') {
      let end = quote + 1
      while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++
      return { value: parts.join(''), end }
    }
    parts.push('"')
    at = quote + 2
  }
}
