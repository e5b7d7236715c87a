/** Website import: fetches a local website and converts it to Markdown, with its images and its navigation. */
import { deflateSync } from 'node:zlib'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { get } from 'node:http'
import { require2xx } from '../server-process.js'
import { createCorpus, type createVocabulary } from './corpus.js'
import { type Figure, median } from './figure.js'
import { createSpace, openWorld } from './world.js'

const pages = 300
const pageBytes = 5_000

/** A site as generators write it: each page with the whole menu, and a picture on every third. */
function createSite(vocabulary: ReturnType<typeof createVocabulary>): ReadonlyMap<string, string | Buffer> {
  const texts = createCorpus({ pages, bytes: pageBytes, vocabulary }).filter(({ path }) =>
    path.endsWith('.md'),
  )
  const addressOf = (at: number): string => (at === 0 ? '/docs/' : `/docs/part-${at % 20}/page-${at}.html`)
  const menu = Array.from({ length: pages }, (_, at) => `<li><a href="${addressOf(at)}">Page ${at}</a></li>`)
  const site = new Map<string, string | Buffer>()
  for (let at = 0; at < pages; at += 1) {
    const body = texts[at % texts.length]!.bytes.toString()
      .split(/\n{2,}/)
      .map((part, index) =>
        index % 5 === 0
          ? `<h2>${escape(part.slice(0, 60))}</h2>`
          : `<p>${escape(part)} <a href="${addressOf((at + index) % pages)}">more</a></p>`,
      )
    const picture = at % 3 === 0 ? `<img src="/docs/img/${at}.png" alt="Picture ${at}">` : ''
    if (at % 3 === 0) site.set(`/docs/img/${at}.png`, pictureOf(at))
    site.set(
      addressOf(at),
      `<!doctype html><html lang="en"><head><title>Page ${at}</title></head><body><nav class="sidebar"><ul>${menu.join('')}</ul></nav>` +
        `<main><h1>Page ${at}</h1>${picture}${body.join('\n')}</main><footer>Footer</footer></body></html>`,
    )
  }
  return site
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}

/** A picture of one pixel, each another. */
function pictureOf(number: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    // The checksum is not verified.
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const data = deflateSync(Buffer.from([0, number & 255, number >> 8, 7]))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Answers the pages a second of an import, beside the requests a second of reading the site and doing nothing with it. */
export async function measureWebsite(
  vocabulary: ReturnType<typeof createVocabulary>,
  turns: number,
): Promise<Figure[]> {
  const site = createSite(vocabulary)
  const server = createServer((request, response) => {
    const found = site.get(request.url!)
    if (found === undefined) response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': request.url!.endsWith('.png') ? 'image/png' : 'text/html' })
        .end(found)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const speeds: number[] = []
  const bares: number[] = []
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      bares.push(await readBare(base, [...site.keys()]))
      const world = await openWorld(undefined, { OCTAVO_FETCH_NETWORKS: '127.0.0.1' })
      try {
        const space = await createSpace(world, 'Website')
        const begun = performance.now()
        const body = { url: `${base}/docs/`, source: 'website' }
        const result = await require2xx(world.server.request('POST', `/spaces/${space}/content/import`, body))
        if (result.pages !== pages) throw new Error(`${result.pages} of ${pages} pages came in`)
        speeds.push((pages * 1000) / (performance.now() - begun))
      } finally {
        await world.close()
      }
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const [value, bare] = [median(speeds), median(bares)]
  return [
    {
      name: `import of a website of ${pages} pages`,
      value,
      unit: 'pages/s',
      baseline: { name: 'read only, 4 at once', value: bare, unit: 'pages/s' },
      ratio: value / bare,
      target: { of: 'value', kind: 'at least', limit: 60 },
    },
  ]
}

async function readBare(base: string, paths: readonly string[]): Promise<number> {
  const begun = performance.now()
  let next = 0
  async function work(): Promise<void> {
    while (next < paths.length) {
      const path = paths[next]!
      next += 1
      await new Promise<void>((resolve, reject) => {
        get(base + path, (answer) => void answer.resume().on('end', resolve)).on('error', reject)
      })
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return (pages * 1000) / (performance.now() - begun)
}
