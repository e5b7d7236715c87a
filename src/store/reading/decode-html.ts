/** The bytes of a page of HTML as text: in the encoding that its head names, the server says, or the page itself. */

/** As far as browsers look for a page's own word. */
const lookedAt = 1_024

/** Returns the text of a page; what is no text in its encoding becomes U+FFFD. */
export function decodeHtml(bytes: Uint8Array, contentType?: string): string {
  const named = encodingOfMark(bytes) ?? encodingOfType(contentType) ?? encodingOfPage(bytes)
  if (named !== undefined) return decoderOf(named).decode(bytes)
  const text = new TextDecoder().decode(bytes)
  const broken = text.split('\uFFFD').length - 1
  // As browsers read what says nothing of itself; a page with a few broken letters is still one of UTF-8.
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
  // The bytes were read as letters of one byte each: a page in two says so in vain.
  return found !== undefined && /^utf-?16/i.test(found) ? 'utf-8' : found
}
