/**
 * The one judge of destinations: which URL written by a person may stand in an attribute.
 *
 * It works on the characters, after dropping those that browsers drop, instead of on a parsed URL:
 * relative destinations have no base here.
 */

const scheme = /^([a-z][a-z0-9+.-]*):/i
const linkSchemes = new Set(['http', 'https', 'mailto', 'tel'])
const imageData = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]*$/i

const blankOrControl = /[\u0000-\u0020\u007f-\u00a0]/

/** Browsers ignore control characters and blanks around a URL, and tabs and line ends inside it. */
function asBrowsersReadIt(url: string): string {
  if (!blankOrControl.test(url)) return url
  let end = url.length
  // From behind: a pattern would look for the end again from every blank.
  while (end > 0 && url.charCodeAt(end - 1) <= 0x20) end--
  return url
    .slice(0, end)
    .replace(/^[\u0000-\u0020\u007f-\u009f\u00a0]+/, '')
    .replace(/[\t\r\n\u0000]/g, '')
}

/** The destination of a link when it is http, https, mailto, tel or relative; else undefined. */
export function safeUrl(url: string): string | undefined {
  const read = asBrowsersReadIt(url)
  const found = scheme.exec(read)
  if (found === null) return read
  return linkSchemes.has((found[1] as string).toLowerCase()) ? read : undefined
}

/** The source of an image, a sound or a film: http, https, relative, or a small set of images as data; else undefined. */
export function safeSource(url: string): string | undefined {
  const read = asBrowsersReadIt(url)
  const found = scheme.exec(read)
  if (found === null) return read === '' ? undefined : read
  if (/^https?$/i.test(found[1] as string)) return read
  return imageData.test(read) ? read : undefined
}

/** Host of an absolute http(s) or protocol-relative URL, lower case, without `www.`; undefined for anything else. */
export function hostOf(url: string): string | undefined {
  const found = /^(?:https?:)?\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(url)
  return found === null ? undefined : (found[1] as string).toLowerCase().replace(/^www\./, '')
}

/** Most names in addresses are of nothing else. */
const staysAsItIs = /^[\w.~-]*$/

/** Percent-encoded text for a query or a fragment; half a surrogate pair, which cannot be encoded, is replaced. */
export function encodeText(text: string): string {
  if (staysAsItIs.test(text)) return text
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** Last part of a path or URL, readable: without query, percent signs resolved. */
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
