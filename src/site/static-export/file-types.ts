/** File extensions by content type, so that a web server sends the same type as the site and executes nothing. */
import { mediaTypeOf } from '../../access/http/body-types.js'

const endings: ReadonlyMap<string, string> = new Map([
  ['application/json', '.json'],
  ['image/gif', '.gif'],
  ['image/jpeg', '.jpg'],
  ['image/png', '.png'],
  ['image/svg+xml', '.svg'],
  ['image/webp', '.webp'],
  ['text/css', '.css'],
  ['text/html', '.html'],
  ['text/javascript', '.js'],
])

/** Extensions that a web server or browser would treat as page or program; the site sends these as downloads. */
const executable = /\.(?:[xs]?html?|xht|xml|xslt?|m?js|wasm|php\d?|phtml|cgi|asp|aspx|jsp|svgz?)$/i

/** Returns the extension to append to a name for a type; empty where it has it already. */
export function extensionFor(name: string, contentType: string): string {
  const type = mediaTypeOf(contentType)
  if (type === 'application/octet-stream') return executable.test(name) ? '.txt' : ''
  const ending = endings.get(type)
  if (ending === undefined) return ''
  const own = /\.[a-z0-9]{1,5}$/i.exec(name)?.[0].toLowerCase().replace('.jpeg', '.jpg')
  return own === ending ? '' : ending
}
