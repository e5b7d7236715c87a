/**
 * URL sanitizer: which user-written URLs are allowed in an attribute.
 *
 * It works on the characters, after removing those that browsers ignore, instead of on a parsed URL:
 * relative URLs have no base at this point.
 */

const scheme = /^([a-z][a-z0-9+.-]*):/i
const linkSchemes = new Set(['http', 'https', 'mailto', 'tel'])
const imageData = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]*$/i

const blankOrControl = /[\u0000-\u0020\u007f-\u00a0]/

/** Browsers ignore control characters and blanks around a URL, and tabs and line ends inside it. */
function asBrowsersReadIt(url: string): string {
  if (!blankOrControl.test(url)) return url
  let end = url.length
  // Backwards: a pattern would search for the end again from every blank.
  while (end > 0 && url.charCodeAt(end - 1) <= 0x20) end--
  return url
    .slice(0, end)
    .replace(/^[\u0000-\u0020\u007f-\u009f\u00a0]+/, '')
    .replace(/[\t\r\n\u0000]/g, '')
}

/** Returns the URL of a link if it is http, https, mailto, tel or relative; else undefined. */
export function safeUrl(url: string): string | undefined {
  const read = asBrowsersReadIt(url)
  const found = scheme.exec(read)
  if (found === null) return read
  return linkSchemes.has((found[1] as string).toLowerCase()) ? read : undefined
}

/** Returns the URL of an image, audio or video: http, https, relative, or common images as data URLs; else undefined. */
export function safeSource(url: string): string | undefined {
  const read = asBrowsersReadIt(url)
  const found = scheme.exec(read)
  if (found === null) return read === '' ? undefined : read
  if (/^https?$/i.test(found[1] as string)) return read
  return imageData.test(read) ? read : undefined
}

/** Returns the host of an absolute http(s) or protocol-relative URL, lower case, without `www.`; else undefined. */
export function hostOf(url: string): string | undefined {
  const found = /^(?:https?:)?\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(url)
  return found === null ? undefined : (found[1] as string).toLowerCase().replace(/^www\./, '')
}

/** Most path segments match, and need no encoding. */
const staysAsItIs = /^[\w.~-]*$/

/** Returns percent-encoded text for a query or a fragment; lone surrogates, which cannot be encoded, are replaced. */
export function encodeText(text: string): string {
  if (staysAsItIs.test(text)) return text
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** Returns the last segment of a path or URL, without query, percent-decoded. */
export function lastPart(url: string): string {
  let end = url.search(/[?#]/)
  if (end < 0) end = url.length
  while (end > 0 && url[end - 1] === '/') end--
  const part = url.slice(url.lastIndexOf('/', end - 1) + 1, end)
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
