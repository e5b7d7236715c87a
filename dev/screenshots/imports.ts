/**
 * Screenshots of imports: `npx tsx dev/screenshots/imports.ts [<to> [<source>…]]` writes one image for each sample of
 * `tests/import-samples`, as its own program renders it on the left, as a page of a site on the right. Without a folder
 * they are written where the guide embeds them. It runs the output of `npm run build`, and needs Chromium; the Word
 * document needs LibreOffice and `pdftoppm`. Nothing is compared: they are for visual inspection.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import sharp from 'sharp'
import { browserPath } from '../../tests/browser.js'
import { type Sample, archiveOf, samples } from '../../tests/import-samples/samples.js'
import { cleanEnvironment, startProgram } from '../../tests/server-program.js'
import { serveWeb } from '../../tests/web-server.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/octavo.js')

/** Of each side. */
const size = { width: 720, height: 900 }
const gap = 16

const [to = join(root, 'docs/.gitbook/assets'), ...wanted] = process.argv.slice(2)
const work = await mkdtemp(join(tmpdir(), 'octavo-imports-'))
await mkdir(to, { recursive: true })
// What a website is read from is on this machine.
const server = await startProgram(work, program, { OCTAVO_FETCH_NETWORKS: '127.0.0.1' })
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
try {
  for (const sample of samples) {
    if (wanted.length > 0 && !wanted.includes(sample.source)) continue
    const folder = join(work, sample.source)
    for (const [path, bytes] of Object.entries(sample.files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), bytes)
    }
    const before = await showBefore(browser, join(folder, sample.originalFile))
    const site = await importSample(sample, folder)
    const after = await shoot(browser, new URL(sample.page, site).href)
    const name = `import-${sample.source}.webp`
    const picture = await beside(before, after)
    await writeFile(join(to, name), picture)
    console.log(name, picture.length)
  }
} finally {
  await browser.close()
  await server.stop()
  await rm(work, { recursive: true, force: true })
}

/** Imports a sample as the command line does, and answers where its site is read. */
async function importSample(sample: Sample, folder: string): Promise<string> {
  const { source } = sample
  const web =
    source === 'website'
      ? await serveWeb((request, response) => {
          const file = sample.files[decodeURIComponent(new URL(request.url!, 'http://a').pathname).slice(1)]
          if (file === undefined) response.writeHead(404).end()
          else response.writeHead(200, { 'content-type': typeOf(request.url!) }).end(file)
        })
      : undefined
  const zip = `${folder}.zip`
  if (source === 'zip') await writeFile(zip, archiveOf(sample))
  const from = web ? `${web.url}/index.html` : source === 'zip' ? zip : folder
  const format = source === 'openapi' ? [] : ['--from', source]
  const title = ['--title', source === 'openapi' ? 'Pets' : source]
  try {
    const { stdout } = await run(
      process.execPath,
      [program, 'import', from, ...format, ...title, '--site', '--json', '--url', server.base],
      { cwd: work, env: { ...cleanEnvironment, OCTAVO_FETCH_NETWORKS: '127.0.0.1' }, maxBuffer: 1 << 28 },
    )
    const result = stdout.split('\n').findLast((line) => line.includes('"event":"result"'))
    return new URL(new URL((JSON.parse(result!) as { site: string }).site).pathname, server.base).href
  } finally {
    await web?.close()
  }
}

function typeOf(path: string): string {
  return extname(path) === '.css' ? 'text/css' : extname(path) === '.html' ? 'text/html' : 'image/png'
}

/** A page in a browser, a document as it is printed, anything else as the text that it is. */
async function showBefore(on: Browser, file: string): Promise<Buffer> {
  if (file.endsWith('.html')) return shoot(on, pathToFileURL(file).href)
  if (file.endsWith('.docx')) {
    await run('soffice', ['--headless', '--convert-to', 'pdf', '--outdir', work, file])
    const printed = file.replace(/^.*\/(.*)\.docx$/, `${work}/$1`)
    const width = ['-scale-to-x', `${size.width}`, '-scale-to-y', '-1']
    await run('pdftoppm', ['-png', '-singlefile', '-r', '96', ...width, `${printed}.pdf`, printed])
    return readFile(`${printed}.png`)
  }
  const text = await readFile(file, 'utf8')
  const escaped = text.slice(0, 10_000).replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const page = `${file}.shown.html`
  await writeFile(
    page,
    `<meta charset="utf-8"><pre style="font:14px/1.5 monospace;white-space:pre-wrap;margin:24px">${escaped}</pre>`,
  )
  const picture = await shoot(on, pathToFileURL(page).href)
  await rm(page)
  return picture
}

async function shoot(on: Browser, url: string): Promise<Buffer> {
  const page = await on.newPage({ viewport: size, colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto(url, { waitUntil: 'networkidle' })
  const picture = await page.screenshot()
  await page.close()
  return picture
}

/** Returns both as one image, side by side. */
async function beside(before: Buffer, after: Buffer): Promise<Buffer> {
  const sides = await Promise.all(
    [before, after].map((side) =>
      sharp(side)
        .resize({ ...size, fit: 'cover', position: 'top' })
        .toBuffer(),
    ),
  )
  const background = '#8a8f98'
  return sharp({ create: { width: 2 * size.width + gap, height: size.height, channels: 3, background } })
    .composite(sides.map((input, at) => ({ input, left: at * (size.width + gap), top: 0 })))
    .webp({ quality: 30, effort: 6 })
    .toBuffer()
}
