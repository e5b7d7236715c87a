/**
 * Screenshots of published sites as readers see them: `npm run screenshots -- <to> [<folder>…]`, in three widths, light and
 * dark; of the app with `npm run screenshots -- app <to>`. A folder with `structure.json` is one site of many spaces, any other a site of one; without a folder it is the
 * guide. Nothing is compared: they are for visual inspection.
 */
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import sharp from 'sharp'
import { browserPath } from '../../tests/browser.js'
import { cleanEnvironment, startProgram } from '../../tests/server-program.js'
import { takeAppScreens } from './app.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/octavo.js')

const screens = [
  { width: 360, height: 780 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]
const modes = ['light', 'dark'] as const
/** Pages of a site besides its first one, as its map names them. */
const mostPages = 3

const [to, ...folderArguments] = process.argv.slice(2)
if (to === 'app') {
  await takeAppScreens(resolve(folderArguments[0] ?? 'app-screenshots'), folderArguments.slice(1))
  process.exit()
}
if (to === undefined) throw new Error('Say where the pictures go: npm run screenshots -- <to> [<folder>…]')
const folders = folderArguments.length > 0 ? folderArguments.map((one) => resolve(one)) : [join(root, 'docs')]
const work = await mkdtemp(join(tmpdir(), 'octavo-screenshots-'))
await mkdir(to, { recursive: true })
const server = await startProgram(work, program)
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
try {
  for (const folder of folders) await takeAll(browser, folder)
} finally {
  await browser.close()
  await server.stop()
  await rm(work, { recursive: true, force: true })
}

async function takeAll(on: Browser, folder: string): Promise<void> {
  const hasStructure = await access(join(folder, 'structure.json')).then(
    () => true,
    () => false,
  )
  const kind = hasStructure
    ? ['--site-config']
    : ['--site', '--title', folderArguments.length > 0 ? basename(folder) : 'Octavo']
  const { stdout } = await run(
    process.execPath,
    [program, 'import', folder, ...kind, '--json', '--url', server.base],
    {
      cwd: work,
      env: cleanEnvironment,
      maxBuffer: 1 << 28,
    },
  )
  const results = stdout.split('\n').filter((line) => line.includes('"event":"result"'))
  // Of a folder `url` is the space, and `site` where that is published.
  const { site, url } = JSON.parse(results.at(-1)!) as { site: string; url: string }
  const home = new URL(new URL(hasStructure ? url : site).pathname, server.base).href
  const pages = [home, ...(await linkedFrom(home))].slice(0, mostPages + 1)
  for (const { width, height } of screens)
    for (const colorScheme of modes) {
      const context = await on.newContext({
        viewport: { width, height },
        colorScheme,
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      for (const [at, url] of pages.entries()) {
        await page.goto(url, { waitUntil: 'networkidle' })
        const name = `${basename(folder)}-${at}-${width}-${colorScheme}.webp`
        await sharp(await page.screenshot())
          .webp({ quality: 70 })
          .toFile(join(to!, name))
        console.log(name, url)
      }
      await context.close()
    }
}

/** Returns URLs of pages in the tree of the first one. */
async function linkedFrom(home: string): Promise<string[]> {
  const html = await (await fetch(home)).text()
  const tree = /<nav class="navigation"[^]*?<\/nav>/.exec(html)?.[0] ?? html
  const hrefs = [...tree.matchAll(/<a[^>]* href="(\/[^"#]+)"/g)].map(([, href]) => new URL(href!, home).href)
  const own = [...new Set(hrefs)].filter((href) => href !== home)
  const step = Math.max(1, Math.floor(own.length / mostPages))
  return own.filter((_, at) => at % step === 0)
}
