/**
 * The static twin of a published site: files that any web server can serve, below any path.
 *
 * Every page that the site has is asked for by its own door (`ask.ts`), and so is everything that a page names
 * (`translate.ts`). What the site answers with a redirect becomes a page that leads on. Search works by files of its
 * own, made of the pages' Markdown.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { byteLength } from '../../core/bytes.js'
import { decodePercent } from '../../core/links/resolve.js'
import { parsePage } from '../../core/markdown/parse.js'
import { type PageNode, pageTree } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { createStaticIndexBuilder } from '../../core/search/static-index.js'
import { collectSections } from '../../core/search/sections.js'
import { trimBothOf } from '../../core/trim.js'
import type { Services } from '../../access/route/scope.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import { escapeHtml } from '../../site/html.js'
import { type VisibleContent, isVisible, openContent } from '../../site/pages/content.js'
import { titleInLists } from '../../site/pages/navigation.js'
import { type ReadablePage, isReadable } from '../../site/routing/destination.js'
import { belowBase, encodePath } from '../../site/routing/linker.js'
import { sectionHeading } from '../../site/routing/languages.js'
import type { Variant } from '../../site/routing/site.js'
import { relativePath } from '../../site/static-export/file-names.js'
import type { Settings } from '../settings/settings.js'
import { createAnswerPage } from './answer-page.js'
import { type AskedSite, type TwinAnswer, createAsk, textOf } from './fetch-internal.js'
import { type TwinFolder, TwinRefused, twinMark, writeTwinFolder } from './folder.js'
import { listLeadingOn } from './redirects.js'
import { type FullTexts, createFullTexts } from './full-texts.js'
import { lostPageScript } from './not-found-page.js'
import { openSite } from './open-site.js'
import { answerPages } from './pages.js'
import type { Place } from './places.js'
import { type Translator, createTranslator, searchPath } from './translate.js'

export interface TwinRequest {
  readonly services: Services
  /** Answers everything that readers ask for. */
  readonly server: FastifyInstance
  readonly site: AddressedSite
  readonly target: string
  /** Absolute address at which the twin will stand; without one, what must be absolute names the site itself. */
  readonly at?: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** By which threads open the same data, to answer pages; without them, all is done in this one. */
  readonly settings?: Settings
  readonly progress?: (done: number, total: number) => void
}

export interface Twin {
  readonly pages: number
  readonly files: number
  readonly bytes: number
  readonly redirects: number
  /** Bytes of what the search reads, and of the Markdown that it was made of. */
  readonly searchBytes: number
  readonly textBytes: number
  /** Addresses that pages of the site name, and that lead nowhere. */
  readonly missing: readonly string[]
}

/** What stands at the top of a site besides its pages, where it has it. */
const feeds = [
  'robots.txt',
  'sitemap.xml',
  'sitemap-pages.xml',
  'llms.txt',
  'llms-full.txt',
  'sitemap.md',
  '.well-known/sitemap.md',
]
/** Fetched by a program alone, beside the one that names them. */
const laterAssets = ['finding.js', 'dialogs.js', 'dialogs.css']
/** Bytes of an index that need not be saved, however small a site is. */
const leastIndex = 20_000
/** Files that are being written while the next page is made. */
const writesAtOnce = 16

/** Writes the twin and says what it holds; throws `TwinRefused` for a site that is not open to everybody. */
export async function writeTwin(request: TwinRequest): Promise<Twin> {
  const { services, server, site: addressed, now } = request
  const site = await openSite(services, addressed, now)
  if (site === undefined) throw notOpen()
  const texts = createFullTexts(services, { site, ask: createAsk(server, services, addressed) })
  const asked = { site, ask: texts.ask }
  return writeTwinFolder(request.target, async (folder) => fill(request, { asked, texts }, folder))
}

function notOpen(): TwinRefused {
  return new TwinRefused('The site is not open to everybody: publish it, public or unlisted, and try again.')
}

interface Listed {
  readonly shown: VisibleContent
  readonly page: ReadablePage
  readonly place: Place
  readonly text: Place
  readonly isFound: boolean
}

async function fill(
  request: TwinRequest,
  { asked, texts }: { readonly asked: AskedSite; readonly texts: FullTexts },
  folder: TwinFolder,
): Promise<Twin> {
  const { services, site: addressed, at, progress } = request
  const { site, ask } = asked
  await requireOpen()
  const { write, done, written } = createWriter(folder)
  const assets = `${new URL(services.addresses.base).pathname.replace(/\/$/, '')}/~octavo/assets/`
  const revisions = site.variants.map(({ revisionId }) => revisionId)
  const { body: program } = await ask(`${assets}finding.js`)
  // A browser that kept the index of an earlier twin asks anew.
  const version = shortHash(`${shortHash(program)} ${site.fingerprint} ${revisions.join(' ')}`)
  const finding = { name: '~octavo/assets/finding.js', version }
  const translator = createTranslator(asked, { serverBase: services.addresses.base, at, finding, write })
  const { read, pageName, textName, lead, translate } = translator

  const { listed, contents, pagesOf } = await listPages(request, asked, translator)
  for (const name of laterAssets) await lead(assets + name)
  await lead('/favicon.ico')

  const index = createStaticIndexBuilder()
  let textBytes = 0
  let current: Variant | undefined
  const places = listed.map(({ place, text }) => ({ page: place.href, text: text.href }))
  let number = 0
  const answer = await createAnswerPage(services, site)
  for await (const answers of answerPages(answer, places, request)) {
    const one = listed[number]!
    const { variant } = one.shown
    if (variant !== current) {
      current = variant
      const section = sectionHeading(site, variant)
      index.begin({
        language: variant.language,
        group: site.sections.findIndex(({ variants }) => variants.includes(variant)),
        isDefault: variant.isDefault,
        isHidden: variant.isHidden,
        ...(section !== undefined && { section }),
      })
      await writeSearchPage(variant)
    }
    texts.keep(one.text.href, answers.text)
    await writePage(one.place, answers.page)
    const text = await writeText(one, answers.text)
    if (text !== undefined && one.isFound) {
      textBytes += byteLength(text)
      index.add(partOf(one, text))
    }
    number += 1
    progress?.(number, listed.length)
  }
  for (const feed of feeds) await translator.follow(site.base + feed)
  await writeLostPage()
  await writeFurther()
  const redirects = await writeRedirects()
  let searchBytes = 0
  for (const [name, text] of index.finish(Math.max(leastIndex, Math.floor(textBytes / 3)))) {
    searchBytes += byteLength(text)
    await write(`${searchPath}/${name}`, text)
  }
  await requireOpen()
  await write('.nojekyll', '')
  await write(twinMark, `${JSON.stringify({ site: site.title, pages: listed.length })}\n`)
  await done()
  const { files, bytes } = folder
  const missing = [...translator.missing]
  return { pages: listed.length, files, bytes, redirects, searchBytes, textBytes, missing }

  async function requireOpen(): Promise<void> {
    if ((await ask(site.base)).status !== 200) throw notOpen()
  }

  async function writePage({ path }: Place, answer: TwinAnswer): Promise<void> {
    const name = `${pageName(path)}index.html`
    if (answer.status === 200) await write(name, await translate(name, answer))
  }

  /** Pages that no tree names and another page does. */
  async function writeFurther(): Promise<void> {
    for (let places = translator.takeFurther(); places.length > 0; places = translator.takeFurther())
      for (const place of places) await writePage(place, await ask(place.href))
  }

  /** Writes the Markdown of a page and returns it, as the site gives it. */
  async function writeText({ text: { path } }: Listed, answer: TwinAnswer): Promise<string | undefined> {
    if (answer.status !== 200) return undefined
    const name = textName(path)
    await write(name, await translate(name, answer))
    return textOf(answer)
  }

  function partOf({ shown, page, place }: Listed, text: string) {
    // Of a page that is made of a specification more is searched than its Markdown says.
    const searched = shown.content.searchTexts?.get(page.id) ?? text
    const sections = collectSections(parsePage(searched).document, page.title)
    return {
      title: titleInLists(page),
      href: relativePath('', pageName(place.path)),
      headings: sections.filter(({ anchor }) => anchor !== undefined).map(({ heading }) => heading),
      body: sections.map(({ body }) => body).join('\n'),
    }
  }

  async function writeSearchPage(variant: Variant): Promise<void> {
    const root = belowBase(variant)
    const answer = await ask(`${site.base}${root}?q=`)
    if (answer.status !== 200) return
    const name = `${pageName(root)}${searchPath}/index.html`
    const source = `${relativePath(name, finding.name)}?v=${version}&page#${site.variants.indexOf(variant)}`
    const markup = await translate(name, answer)
    const script = `<script type="module" src="${escapeHtml(source)}"></script>\n</head>`
    await write(
      name,
      markup
        .toString()
        .replace('</head>', () => script)
        .replace('</main>', () => '<noscript><p>This search needs JavaScript.</p></noscript></main>'),
    )
  }

  /** Shown for addresses of any depth: it finds out where the twin stands. */
  async function writeLostPage(): Promise<void> {
    const markup = await translate('404.html', await ask(`${site.base}~octavo/nothing-here`))
    const script = `<script>${lostPageScript(at)}</script>\n</head>`
    await write(
      '404.html',
      markup.toString().replace('</head>', () => script),
    )
  }

  /** Writes a page that leads on, and a line for servers that read such, for each address that the site redirects. */
  async function writeRedirects(): Promise<number> {
    const lines: string[] = []
    const top = at === undefined ? '/' : new URL(at).pathname
    for (const path of await listLeadingOn(services, addressed, { site, contents, pagesOf })) {
      const { place } = read(site.base + path)
      if (place === undefined || place.path === '') continue
      const { status, location } = await ask(place.href)
      const name = `${pageName(place.path)}index.html`
      if (location === undefined || written.has(name)) continue
      const isElsewhere = read(location).place === undefined
      const led = isElsewhere
        ? { target: { href: location }, fragment: '' }
        : await translator.follow(location)
      if (led === undefined) continue
      // With a number behind it, because another address has the name, it is found by nobody.
      if (name === `${decodePercent(trimBothOf(place.path, '/'))}/index.html`)
        await write(name, leadingPage(translator.wayFrom(name, led)))
      const to =
        'href' in led.target ? led.target.href : top + relativePath('', led.target.name).replace(/^\.\/$/, '')
      lines.push(`${top}${trimBothOf(place.path, '/')} ${to}${led.fragment} ${status}`)
    }
    await writeFurther()
    if (lines.length > 0) await write('_redirects', `${lines.join('\n')}\n`)
    return lines.length
  }
}

/** Lists the pages that a reader may have, with those that no list shows, and tells the translator of them. */
async function listPages(
  { services }: TwinRequest,
  { site }: AskedSite,
  { read, know, pageName, textName }: Translator,
) {
  const listed: Listed[] = []
  const contents: VisibleContent[] = []
  const pagesOf = new Map<string, string[]>()
  for (const variant of site.variants) {
    const shown = await openContent(services, site, variant)
    const paths: string[] = []
    contents.push(shown)
    pagesOf.set(variant.id, paths)
    const { linker, content } = shown
    const tree = await content.run(pageTree(content.revision.snapshot))
    for (const [page, isFound] of openPages(shown, tree)) {
      if (!isReadable(page)) continue
      const { place } = read(linker.page(page))
      const { place: text } = read(linker.markdown(page))
      if (place === undefined || text === undefined) continue
      know(place.href, { name: pageName(place.path) })
      know(text.href, { name: textName(text.path) })
      listed.push({ shown, page, place, text, isFound })
      paths.push(encodePath(page.path))
    }
  }
  return { listed, contents, pagesOf }
}

/** Walks the pages of a tree, and says whether a search finds them. */
function* openPages(
  shown: VisibleContent,
  nodes: readonly PageNode[],
  isFound = true,
): Generator<readonly [PageRecord, boolean]> {
  for (const { page, children } of nodes) {
    const isFoundToo = isFound && !(page.type === 'document' && page.noIndex === true)
    if (isVisible(shown, page)) yield [page, isFoundToo]
    yield* openPages(shown, children, isFoundToo)
  }
}

/** Writes some files while the next page is made; none twice. */
function createWriter(folder: TwinFolder) {
  const written = new Set<string>()
  const writing = new Set<Promise<void>>()
  return {
    written,
    async write(name: string, content: string | Uint8Array): Promise<void> {
      if (written.has(name)) return
      written.add(name)
      if (writing.size >= writesAtOnce) await Promise.race(writing)
      const one = folder.write(name, content).then(() => void writing.delete(one))
      // Whoever waits next is told; nobody may be waiting now.
      one.catch(() => {})
      writing.add(one)
    },
    done: async () => void (await Promise.all(writing)),
  }
}

function shortHash(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}

function leadingPage(way: string): string {
  const href = escapeHtml(way)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Moved</title><meta name="robots" content="noindex"><meta http-equiv="refresh" content="0; url=${href}"></head>
<body><p><a href="${href}">This page has moved.</a></p></body></html>
`
}
