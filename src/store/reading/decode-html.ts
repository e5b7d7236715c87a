/** Character encoding of HTML pages: from the byte-order mark, the content type, or the page's own declaration. */

/** Bytes in which browsers look for the page's declaration. */
const lookedAt = 1_024

/** Returns the text of a page; invalid bytes become U+FFFD. */
export function decodeHtml(bytes: Uint8Array, contentType?: string): string {
  const named = encodingOfMark(bytes) ?? encodingOfType(contentType) ?? encodingOfPage(bytes)
  if (named !== undefined) return decoderOf(named).decode(bytes)
  const text = new TextDecoder().decode(bytes)
  const broken = text.split('\uFFFD').length - 1
  // As browsers read undeclared pages; one with a few invalid letters is still UTF-8.
  return broken > 0 && broken > (text.match(/[^\0-\x7f\uFFFD]/g)?.length ?? 0)
    ? new TextDecoder('windows-1252').decode(bytes)
    : text
}

function decoderOf(name: string): TextDecoder {
  try {
    return new TextDecoder(name)
  } catch {
    return new TextDecoder()
  }
}

function encodingOfMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function encodingOfType(type: string | undefined): string | undefined {
  return /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(type ?? '')?.[1]
}

function encodingOfPage(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, lookedAt))
  const found = /<(?:meta|\?xml)\s[^<>]{0,200}(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(
    head,
  )?.[1]
  // The declaration was read as single bytes: a page in UTF-16 cannot declare itself.
  return found !== undefined && /^utf-?16/i.test(found) ? 'utf-8' : found
}
