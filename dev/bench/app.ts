/**
 * The app in Chromium: bytes of its first load, main-thread time of a key and of a frame of scrolling, opening pages, and what
 * one autosave costs on the wire, in the database and in time.
 */
import { sql } from 'kysely'
import { editorBytes } from '../app-files.js'
import { require2xx } from '../server-process.js'
import { type AppBrowser, type AppTab, measureMainThread, openAppBrowser } from './app-browser.js'
import { type Vocabulary, createCorpus } from './corpus.js'
import { type Figure, median, percentile } from './figure.js'
import { type World, createSpace, importArchive, listPages, zipOf } from './world.js'

export interface AppSize {
  /** Pages of the tree. */
  readonly pages: number
  readonly keys: number
  readonly saves: number
}

const kilobyte = 1_000
/** Milliseconds between two keys, as of a fast writer. */
const keyInterval = 70
const scrollFrames = 200
const pixelsPerFrame = 137

const firstLoadBound = 200
const richBound = 150
const sourceBound = 120
const keyBounds = [
  { bytes: 60 * kilobyte, limit: 7.5 },
  { bytes: 200 * kilobyte, limit: 12 },
]
const newPageBound = 200
const seenPageBound = 50
const listBound = 250
const rowsBound = 60
const frameBound = 4
const saveBytesBound = 4
const saveTimeBound = 40

const atMost = (limit: number) => ({ of: 'value', kind: 'at most', limit }) as const

export async function measureApp(world: World, vocabulary: Vocabulary, size: AppSize): Promise<Figure[]> {
  const browser = await openAppBrowser(world)
  try {
    return [
      ...(await measureFirstLoad(browser)),
      ...(await measureEditors()),
      ...(await measureWriting({ world, browser, vocabulary }, size)),
      ...(await measureReading({ world, browser, vocabulary })),
      ...(await measureTree({ world, browser, vocabulary }, size.pages)),
    ]
  } finally {
    await browser.close()
  }
}

interface Tools {
  readonly world: World
  readonly browser: AppBrowser
  readonly vocabulary: Vocabulary
}

async function measureFirstLoad(browser: AppBrowser): Promise<Figure[]> {
  const tab = await browser.openTab('/')
  await tab.page.getByRole('heading', { name: 'Home' }).waitFor()
  const programs = sumOf([...tab.files].filter(([name]) => /\.(js|css)$/.test(name)))
  await tab.page.waitForLoadState('networkidle')
  const everything = sumOf([...tab.files])
  await tab.close()
  return [
    {
      name: 'app: scripts and styles until Home is displayed',
      value: programs / kilobyte,
      unit: 'kB',
      baseline: { name: 'with fonts and data', value: everything / kilobyte, unit: 'kB' },
      target: atMost(firstLoadBound),
    },
  ]
}

/** Keys and saves in one page of each size. */
async function measureWriting(tools: Tools, { keys, saves }: AppSize): Promise<Figure[]> {
  const figures: Figure[] = []
  let saveInSmall: number | undefined
  for (const { bytes, limit } of keyBounds) {
    const { tab, place, page } = await openEditor(tools, bytes)
    const kB = bytes / kilobyte
    const bare = await measureTextarea(tools, bytes, keys)
    await typeKeys(tab, 20)
    const { task, script } = await measureMainThread(tab, () => typeKeys(tab, keys))
    figures.push(
      {
        name: `main thread for a key in a page of ${kB} kB`,
        value: task / keys,
        unit: 'ms',
        baseline: { name: 'a bare text area', value: bare / keys, unit: 'ms' },
        target: atMost(limit),
      },
      { name: `scripts for a key in a page of ${kB} kB`, value: script / keys, unit: 'ms' },
    )
    await untilSaved(tab)
    const found = await measureSaves(tools.world, tab, saves)
    if (saveInSmall === undefined) {
      saveInSmall = found.milliseconds
    } else {
      const { sent, received, stored, milliseconds } = found
      const name = `autosave of a block in a page of ${kB} kB`
      const small = `in ${keyBounds[0]!.bytes / kilobyte} kB`
      figures.push(
        { name: `${name}, sent`, value: sent / kilobyte, unit: 'kB', target: atMost(saveBytesBound) },
        { name: `${name}, received`, value: received / kilobyte, unit: 'kB', target: atMost(saveBytesBound) },
        { name: `${name}, stored`, value: stored / kilobyte, unit: 'kB', target: atMost(saveBytesBound) },
        {
          name: `${name}, p50`,
          value: milliseconds,
          unit: 'ms',
          baseline: { name: small, value: saveInSmall, unit: 'ms' },
          target: atMost(saveTimeBound),
        },
      )
    }
    await tab.close()
    // What was typed must be in the text, or keys were measured that did nothing.
    const query = `${place}/content/page/${page}?format=markdown`
    const { markdown } = await require2xx(tools.world.server.request('GET', query))
    if (!markdown.includes(typedText(keys))) throw new Error(`The page does not contain ${typedText(keys)}`)
  }
  return figures
}

/** Opens the rich editor of a new page of this size, with the cursor in a paragraph in its middle. */
async function openEditor({ world, browser, vocabulary }: Tools, bytes: number) {
  const { server } = world
  const space = await createSpace(world, `Written ${bytes}`)
  await importArchive(world, space, await zipOf(createCorpus({ pages: 1, bytes, vocabulary })))
  const [first] = await listPages(world, space)
  const { number } = await require2xx(server.request('POST', `/spaces/${space}/change-requests`, {}))
  const tab = await browser.openTab(`/s/${space}/~/changes/${number}/${first!.path}`)
  await tab.page.locator('.document-editor').waitFor()
  const paragraphs = tab.page.locator('.document-editor > p')
  await paragraphs.nth(Math.floor((await paragraphs.count()) / 2)).click()
  await tab.page.keyboard.press('End')
  await tab.page.waitForTimeout(1_000)
  return { tab, place: `/spaces/${space}/change-requests/${number}`, page: first!.id }
}

const typed = 'abcde fghij '
const typedText = (keys: number) =>
  Array.from({ length: keys }, (_, at) => typed[at % typed.length])
    .join('')
    .trim()

async function typeKeys({ page }: Pick<AppTab, 'page'>, keys: number): Promise<void> {
  for (const key of Array.from({ length: keys }, (_, at) => typed[at % typed.length]!)) {
    await page.keyboard.press(key === ' ' ? 'Space' : key)
    await page.waitForTimeout(keyInterval)
  }
}

/** Milliseconds of the main thread for the same keys in a text area with as many characters. */
async function measureTextarea({ browser }: Tools, bytes: number, keys: number): Promise<number> {
  const tab = await browser.openTab('about:blank')
  const line = 'Some words of a paragraph that is as long as others are.\\n'
  await tab.page.evaluate(`(() => {
    const area = document.body.appendChild(document.createElement('textarea'))
    area.style.cssText = 'width: 720px; height: 700px'
    area.value = '${line}'.repeat(${Math.ceil(bytes / line.length)})
    area.setSelectionRange(${bytes >> 1}, ${bytes >> 1})
    area.focus()
  })()`)
  await typeKeys(tab, 20)
  const { task } = await measureMainThread(tab, () => typeKeys(tab, keys))
  await tab.close()
  return task
}

const untilSaved = ({ page }: AppTab) => page.locator('.save-line', { hasText: 'Saved' }).waitFor()

interface SaveCost {
  /** Bytes of one save, with headers. */
  readonly sent: number
  readonly received: number
  /** Bytes by which the database grew for one. */
  readonly stored: number
  /** From the request to the end of the answer, as the browser sees it. */
  readonly milliseconds: number
}

async function measureSaves(world: World, tab: AppTab, saves: number): Promise<SaveCost> {
  const { session, page } = tab
  const requests = new Map<string, { begun: number; sent: number; received?: number; ended?: number }>()
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (request.method !== 'PATCH' || !request.url.endsWith('/text')) return
    const { byteLength } = Buffer.from(request.postData ?? '')
    requests.set(requestId, { begun: timestamp, sent: byteLength })
  })
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    const request = requests.get(requestId)
    if (request !== undefined)
      request.sent += sumOf(
        Object.entries(headers).map(([name, value]) => [name, name.length + value.length + 4]),
      )
  })
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = requests.get(requestId)
    if (request !== undefined) Object.assign(request, { ended: timestamp, received: encodedDataLength })
  })
  const before = await databaseBytes(world)
  for (let save = 1; save <= saves; save += 1) {
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await page.keyboard.type('words ')
    await (await answered).finished()
    await untilSaved(tab)
  }
  const after = await databaseBytes(world)
  const complete = [...requests.values()].filter(({ ended }) => ended !== undefined)
  return {
    sent: median(complete.map(({ sent }) => sent)),
    received: median(complete.map(({ received }) => received!)),
    stored: (after - before) / complete.length,
    milliseconds: median(complete.map(({ begun, ended }) => (ended! - begun) * 1_000)),
  }
}

/** Bytes of the pages of SQLite that are in use. */
async function databaseBytes({ database }: World): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(database.read)
  return rows[0]!.bytes
}

/** Scripts of each editor, compressed: with all that it imports, without what the screen around it has loaded. */
async function measureEditors(): Promise<Figure[]> {
  const [rich, source] = [await editorBytes('rich-view'), await editorBytes('source-view')]
  const name = 'app: scripts of the editor of'
  return [
    { name: `${name} rich text`, value: rich / kilobyte, unit: 'kB', target: atMost(richBound) },
    { name: `${name} Markdown`, value: source / kilobyte, unit: 'kB', target: atMost(sourceBound) },
  ]
}

/** From the click to the first frame with the text; neither is fetched before, as hovering would do. */
async function measureReading({ world, browser, vocabulary }: Tools): Promise<Figure[]> {
  const space = await createSpace(world, 'Read')
  const files = createCorpus({ pages: 20, bytes: 5 * kilobyte, vocabulary })
  await importArchive(world, space, await zipOf(files))
  const tab = await browser.openTab(`/s/${space}/`)
  await tab.page.locator('.reader-article p').first().waitFor()
  await tab.page.waitForLoadState('networkidle')
  const titles = await tab.page.locator('[role=treeitem] .tree-title').allTextContents()
  const openAll = async () => {
    const times: number[] = []
    for (const title of titles.slice(1)) {
      times.push((await tab.page.evaluate(openPageScript(title))) as number)
      await tab.page.waitForTimeout(200)
    }
    return times
  }
  const [asNew, seen] = [await openAll(), await openAll()]
  await tab.close()
  return (
    [
      ['new', asNew, newPageBound],
      ['seen before', seen, seenPageBound],
    ] as const
  ).map(([name, times, limit]) => ({
    name: `page ${name}, from the click to its text`,
    value: median(times),
    unit: 'ms',
    baseline: { name: 'p95', value: percentile(times, 0.95), unit: 'ms' },
    target: atMost(limit),
  }))
}

/** Clicks a row, and answers the milliseconds until a frame has displayed the heading of its page. */
const openPageScript = (title: string) => `new Promise((resolve) => {
  const title = ${JSON.stringify(title)}
  const row = [...document.querySelectorAll('[role=treeitem]')].find(
    (row) => row.querySelector('.tree-title').textContent === title,
  )
  const isDisplayed = () => document.querySelector('.reader-article h1')?.textContent.includes(title)
  const begun = performance.now()
  const look = () => {
    if (!isDisplayed()) return requestAnimationFrame(look)
    // The next frame begins when this one is painted.
    requestAnimationFrame(() => resolve(performance.now() - begun))
  }
  row.click()
  look()
})`

async function measureTree({ world, browser, vocabulary }: Tools, pages: number): Promise<Figure[]> {
  const space = await createSpace(world, 'Tree')
  await importArchive(world, space, await zipOf(createCorpus({ pages, bytes: 1, vocabulary })))
  // In a change request, where rows can be dragged and renamed.
  const { number } = await require2xx(world.server.request('POST', `/spaces/${space}/change-requests`, {}))
  const tab = await browser.openTab(`/s/${space}/~/changes/${number}/`)
  const { page } = tab
  await page.locator('.document-editor').waitFor()
  await page.waitForLoadState('networkidle')
  // All levels are open: there are as many rows as pages.
  await page.getByRole('tree').focus()
  await page.keyboard.press('*')
  await page.waitForTimeout(1_000)
  await page.evaluate(scrollScript(20))
  const { task, script } = await measureMainThread(tab, () => page.evaluate(scrollScript(scrollFrames)))
  const rows = await page.getByRole('treeitem').count()
  const list = tab.files.get('pages')!
  const height = (await page.evaluate(`document.querySelector('.tree').scrollHeight`)) as number
  if (height < pages * 20) throw new Error(`The tree of ${pages} pages is ${height} px high`)
  await tab.close()
  const name = `tree of ${pages} pages`
  return [
    { name: `${name}, its list`, value: list / kilobyte, unit: 'kB', target: atMost(listBound) },
    { name: `${name}, rows in the document`, value: rows, unit: 'rows', target: atMost(rowsBound) },
    {
      name: `${name}, main thread for a frame of scrolling`,
      value: task / scrollFrames,
      unit: 'ms',
      baseline: { name: 'of it scripts', value: script / scrollFrames, unit: 'ms' },
      target: atMost(frameBound),
    },
  ]
}

const scrollScript = (frames: number) => `new Promise((resolve) => {
  const tree = document.querySelector('.tree')
  let frame = 0
  const step = () => {
    tree.scrollTop += ${pixelsPerFrame}
    if (++frame < ${frames}) requestAnimationFrame(step)
    else resolve()
  }
  requestAnimationFrame(step)
})`

const sumOf = (entries: readonly (readonly [string, number])[]): number =>
  entries.reduce((sum, [, value]) => sum + value, 0)
