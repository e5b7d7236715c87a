/**
 * Builds what runs: the server bundle, and the style sheet and program of published sites.
 *
 *   node scripts/build.mjs
 *
 * Also imported: `buildIfStale` builds when a source is newer than the last build, `buildAssets` builds
 * the small files for browsers alone. A file appears under its name only when it is whole, so that two
 * processes may build at once.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, 'built')

/** Builds everything when a source is newer than the last build; answers whether it did. */
export async function buildIfStale() {
  const built = await modifiedAt(stamp)
  const newest = Math.max(await newestBelow(join(root, 'src')), await modifiedAt(join(root, 'package.json')))
  if (built >= newest) return false
  await buildAll()
  return true
}

/** Before tests: what they send to a browser is never older than its sources. */
export async function setup() {
  await buildIfStale()
}

export async function buildAll() {
  // Whatever changes while it is built makes it stale again.
  const begun = new Date()
  await Promise.all([buildServer(), buildAssets(), copyPrintFonts()])
  await writeFile(stamp, '')
  await utimes(stamp, begun, begun)
}

/**
 * Builds `dist/assets`: style sheets and programs of pages and of what only some readers open, and the sign; each of
 * them compressed as far as it goes.
 */
export async function buildAssets() {
  const { build } = await loadBuilder()
  async function bundle(entryPoints, define = {}) {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints,
      define,
      outdir: join(dist, 'assets'),
      bundle: true,
      minify: true,
      write: false,
      logLevel: 'error',
      format: 'esm',
      target: 'es2022',
    })
    return outputFiles
  }
  const layout = 'src/site/layout'
  const bundles = await Promise.all([
    bundle({ dialogs: `${layout}/browser/dialogs.ts` }),
    bundle({ finding: `${layout}/browser/static-search.ts` }),
    bundle({ reference: `${layout}/browser/reference.ts` }),
    bundle({ follow: `${layout}/browser/follow-changes.ts` }),
    bundle({ site: `${layout}/styles.css` }),
    bundle({ blocks: `${layout}/blocks.css` }),
    bundle({ plain: `${layout}/plain.css` }),
    bundle({ dialogs: `${layout}/dialogs.css` }),
    bundle({ reference: `${layout}/reference.css` }),
  ])
  const later = bundles.flat()
  const addressOf = (name) => {
    const { contents } = later.find(({ path }) => path.endsWith(`/${name}`))
    return JSON.stringify(`./${name}?v=${versionOf(contents)}`)
  }
  const main = await bundle(
    { site: `${layout}/browser/main.ts` },
    { dialogsProgram: addressOf('dialogs.js'), dialogsStyles: addressOf('dialogs.css') },
  )
  const sign = await readFile(join(root, 'src/site/layout/favicon.ico'))
  const files = [...main, ...later, { path: join(dist, 'assets/favicon.ico'), contents: sign }]
  const compressed = files.flatMap(({ path, contents }) => [
    { path: `${path}.br`, contents: brotliCompressSync(contents) },
    { path: `${path}.gz`, contents: gzipSync(contents, { level: 9 }) },
  ])
  await writeAll([...compressed, ...files])
  await copyFonts()
}

/**
 * Copies the faces that a site can choose: of every family the plain, the slanted and one bold weight, cut by script,
 * and the terms that they come under.
 */
async function copyFonts() {
  const families = join(root, 'node_modules/@fontsource')
  for (const name of await readdir(families)) {
    const from = join(families, name, 'files')
    const names = new Set(await readdir(from))
    // Of Merriweather the lighter one hardly stands out.
    const weights = name === 'merriweather' ? [700] : [600, 700, 500]
    const bold = weights.find((weight) => names.has(`${name}-latin-${weight}-normal.woff2`))
    const isTaken = new RegExp(
      `^${name}-(?:latin|cyrillic|greek|vietnamese)(?:-ext)?-(?:400-normal|400-italic|${bold}-normal)\\.woff2$`,
    )
    const copies = [...names].filter((file) => isTaken.test(file)).map((file) => [join(from, file), file])
    copies.push([join(families, name, 'LICENSE'), `${name}-LICENSE.txt`])
    await copyInto('assets/fonts', copies)
  }
}

/** Copies the faces that PDFs are set in, and their terms. Of most of them there are weights that nothing is set in. */
async function copyPrintFonts() {
  const families = join(root, 'node_modules/@expo-google-fonts')
  for (const name of await readdir(families)) {
    const faces = await readdir(join(families, name))
    const copies = ['400Regular', '700Bold', '400Regular_Italic', '700Bold_Italic']
      .filter((face) => faces.includes(face))
      .map(async (face) => {
        const file = (await readdir(join(families, name, face))).find((one) => one.endsWith('.ttf'))
        return [join(families, name, face, file), file]
      })
    copies.push([join(families, name, 'LICENSE_FONT'), `${name}-LICENSE.txt`])
    await copyInto('fonts', await Promise.all(copies))
  }
}

/** Copies files into a folder of what is built, those that are not there already. */
async function copyInto(folder, copies) {
  for (const [source, file] of copies) {
    const path = join(dist, folder, file)
    const { size } = await stat(source)
    if ((await stat(path).catch(() => undefined))?.size !== size)
      await writeAll([{ path, contents: await readFile(source) }])
  }
}

/** What the address of an asset carries: the server says the same of the same bytes. */
export function versionOf(bytes) {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}

/** Builds `dist/server`: `main.js`, the programs of its threads and the parts that they load; packages stay where they are. */
export async function buildServer() {
  const { build } = await loadBuilder()
  const folder = join(dist, 'server')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/server/main.ts',
      thread: 'src/store/reading/worker.ts',
      'site-thread': 'src/site/thread.ts',
      'search-thread': 'src/store/search-workers/worker.ts',
      'openapi-thread': 'src/store/specifications/worker.ts',
      'static-export-thread': 'src/server/static-export/thread.ts',
      'sqlite-thread': 'src/store/db/sqlite/worker.ts',
      'print-program': 'src/site/pdf/program.ts',
    },
    outdir: folder,
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    splitting: true,
    sourcemap: true,
    logLevel: 'error',
  })
  await writeAll(outputFiles)
  // Parts are named by their content: those of earlier builds would stay for ever.
  const names = new Set(outputFiles.map(({ path }) => path))
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!names.has(path) && /-[A-Z0-9]{8}\.js(\.map)?$/.test(name)) await rm(path, { force: true })
  }
}

async function loadBuilder() {
  try {
    return await import('esbuild')
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'This clone is to be built, and what builds it is not installed: run "npm ci" in it, without --omit=dev.',
      { cause: error },
    )
  }
}

async function writeAll(files) {
  for (const { path, contents } of files) {
    await mkdir(dirname(path), { recursive: true })
    const arriving = `${path}.${process.pid}.part`
    await writeFile(arriving, contents)
    await rename(arriving, path)
  }
}

async function newestBelow(folder) {
  let newest = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.endsWith('.test.ts')) continue
    newest = Math.max(newest, await modifiedAt(join(entry.parentPath, entry.name)))
  }
  return newest
}

async function modifiedAt(path) {
  try {
    return (await stat(path)).mtimeMs
  } catch {
    return 0
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const begun = performance.now()
  try {
    await buildAll()
    process.stdout.write(`built in ${Math.round(performance.now() - begun)} ms\n`)
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
