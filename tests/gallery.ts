/** Block gallery over HTTP: a page with every block and the headers of a published page, for browser tests. */
import { readFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { galleryPage } from '../dev/gallery/page.js'
import { galleryNavigation, gallerySite } from '../dev/gallery/site.js'
import { readyAnswer, writeAnswer } from '../src/server/http/send-answer.js'
import { packageRoot } from '../src/server/package-root.js'
import { feedbackResultPage } from '../src/site/layout/feedback.js'
import { errorPage, notFoundPage } from '../src/site/layout/message-pages.js'
import { type SearchResults, searchPage } from '../src/site/layout/search-page.js'
import type { SiteView } from '../src/site/layout/view.js'
import { type TestBrowser, openBrowser } from './shared-browser.js'

export interface Gallery {
  /** Opens the page at a width; `complaints` collects errors of the browser. */
  open(
    width: number,
    more?: { dark?: boolean; site?: Partial<SiteView>; scripts?: false; path?: string },
  ): Promise<Page>
  readonly complaints: readonly string[]
  close(): Promise<void>
}

/** Serves what browsers load, as it was built before the tests, and opens a browser. */
export async function openGallery(): Promise<Gallery> {
  const asset = (name: string) => readFileSync(new URL(`dist/assets/${name}`, packageRoot))
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#7b4dd1' } })
      .png()
      .toBuffer()
  const [small, large] = [await picture(640, 360), await picture(1600, 480)]
  let site = gallerySite
  const server: Server = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://gallery').pathname
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (path.endsWith('.css')) response.setHeader('content-type', 'text/css').end(asset(name))
    else if (path.endsWith('.js')) response.setHeader('content-type', 'text/javascript').end(asset(name))
    else if (path.endsWith('.png'))
      response.setHeader('content-type', 'image/png').end(path.endsWith('cover.png') ? large : small)
    else if (path.endsWith('search.json'))
      response.setHeader('content-type', 'application/json').end(JSON.stringify(searchResults))
    else if (path.endsWith('.html')) {
      const contentType = 'text/html; charset=utf-8'
      const body = otherPage(name, site) ?? (await galleryPage(site))
      const answer = { status: 200, contentType, body, isIndexed: true }
      writeAnswer(request, response, readyAnswer(answer, 'none'))
    } else response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`
  const browser: TestBrowser = await openBrowser()
  const complaints: string[] = []
  /** Of a context for each kind of reader: while they are open, the renderer of all pages of the context stays. */
  const emptyTabs = new Map<string, Promise<Page>>()

  async function openEmptyTab(options: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage()
    await page.goto(new URL('site.css', address).href)
    return page
  }

  async function newPage(dark: boolean, javaScriptEnabled: boolean): Promise<Page> {
    const key = `${dark} ${javaScriptEnabled}`
    let opening = emptyTabs.get(key)
    if (opening === undefined) {
      opening = openEmptyTab({
        colorScheme: dark ? 'dark' : 'light',
        javaScriptEnabled,
        reducedMotion: 'reduce',
      })
      emptyTabs.set(key, opening)
    }
    const empty = await opening
    // What a reader of an earlier test chose is forgotten.
    await empty.evaluate('localStorage.clear()')
    return empty.context().newPage()
  }

  return {
    complaints,
    async open(width, { dark = false, site: changed = {}, scripts, path = 'index.html' } = {}) {
      site = { ...gallerySite, ...changed }
      const page = await newPage(dark, scripts !== false)
      await page.setViewportSize({ width, height: 800 })
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(new URL('/', address).href) && !/^(?:data|blob):/.test(url)) complaints.push(url)
      })
      await page.goto(new URL(path, address).href)
      return page
    },
    async close() {
      await browser.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const marked = (text: string) => ({ text, marks: [[0, 5]] as const })

/** In two sections, the first with the best page and with the last. */
const searchResults: SearchResults = {
  query: 'merge',
  count: 40,
  more: 'search.html?page=2',
  items: [
    {
      title: marked('Merging changes'),
      href: 'index.html',
      section: 'Guide · English',
      breadcrumbs: ['Working together'],
      sections: [
        { excerpt: marked('Merge what two people wrote.') },
        { heading: marked('Merge rules'), href: 'index.html#rules', excerpt: marked('Merge when …') },
      ],
    },
    { title: marked('Merge'), href: 'index.html', section: 'Reference', sections: [] },
    { title: marked('Merge conflicts'), href: 'index.html', section: 'Guide · English', sections: [] },
  ],
}

/** Pages of a site besides content. */
function otherPage(name: string, site: SiteView): string | undefined {
  switch (name) {
    case 'missing.html':
      return notFoundPage(site, galleryNavigation, [
        { title: 'Every block, once', href: 'index.html', path: ['Guide', 'Writing'] },
      ])
    case 'error.html':
      return errorPage(site, { title: 'A title', message: 'A message.' })
    case 'search.html':
      return searchPage(site, searchResults)
    case 'feedback.html':
      return feedbackResultPage(site, {
        page: { title: 'Every block, once', href: 'index.html' },
        comment: { href: 'feedback', rating: 'bad' },
      })
    default:
      return undefined
  }
}
