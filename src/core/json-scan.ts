/** Structural JSON scanner: reports opening and closing brackets and commas outside of strings, in one pass. */

export interface JsonScan {
  open(): void
  close(): void
  /** A comma: one more value of the open container. */
  count(): void
}

const [quote, backslash, comma] = [34, 92, 44]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]

/** Skips strings; does not validate. */
export function scanJson(text: string, scan: JsonScan): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma) scan.count()
    else if (code === openList || code === openObject) scan.open()
    else if (code === closeList || code === closeObject) scan.close()
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}
