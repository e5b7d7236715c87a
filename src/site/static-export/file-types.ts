/** What the name of a file must end with so that a web server tells its type as the site does, and runs nothing. */

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

/** What a web server or a browser would take for a page or a program; the site offers it for download alone. */
const running = /\.(?:[xs]?html?|xht|xml|xslt?|m?js|wasm|php\d?|phtml|cgi|asp|aspx|jsp|svgz?)$/i

/** Returns what is added to a name for a type; nothing where it says it already. */
export function endingFor(name: string, contentType: string): string {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (type === 'application/octet-stream') return running.test(name) ? '.txt' : ''
  const ending = endings.get(type)
  if (ending === undefined) return ''
  const own = /\.[a-z0-9]{1,5}$/i.exec(name)?.[0].toLowerCase().replace('.jpeg', '.jpg')
  return own === ending ? '' : ending
}
