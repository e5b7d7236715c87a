/**
 * Build: the server bundle, and the style sheets and scripts of published sites.
 *
 *   node scripts/build.mjs
 *
 * Also imported: `buildIfStale` builds when a source is newer than the last build, `buildAssets` builds
 * the small files for browsers alone. Files are written atomically, so that two processes may build
 * concurrently.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const stamp = join(dist, 'built')

/** Builds everything when a source is newer than the last build; returns whether it did. */
export async function buildIfStale() {
  const built = await modifiedAt(stamp)
  const newest = Math.max(await newestBelow(join(root, 'src')), await modifiedAt(join(root, 'package.json')))
  if (built >= newest) return false
  await buildAll()
  return true
}

/** Global setup of tests: assets for browsers are never older than their sources. */
export async function setup() {
  await buildIfStale()
}

export async function buildAll() {
  // A source that changes during the build makes it stale again.
  const begun = new Date()
  await Promise.all([buildServer(), buildAssets(), copyPrintFonts()])
  await writeFile(stamp, '')
  await utimes(stamp, begun, begun)
}

/**
 * Builds `dist/assets`: style sheets and scripts of pages, those loaded on demand, and the logo; each also compressed at
 * the highest level.
 */
export async function buildAssets() {
  const { build } = await loadBuilder()
  async function bundle(entryPoints, define = {}) {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints,
      define,
      // Fonts have addresses of their own.
      external: ['/~octavo/*'],
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
    bundle({ 'sign-in': 'src/web/sign-in/sign-in.css' }),
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
  await writeAll([...compress(files), ...files])
  await buildWeb(build)
  await copyFonts()
}

/** Builds `dist/assets/app`, the browser app; the manifest is written last, so that it never names a missing file. */
async function buildWeb(build) {
  // It needs the build tools, which an installed package lacks.
  const { bundleWeb } = await import('./build-web.mjs')
  const outdir = join(dist, 'assets/app')
  const { files, manifest } = await bundleWeb(build, { root, outdir })
  await writeAll([...compress(files), ...files])
  await writeAll([manifest])
  const names = new Set([manifest, ...files].map(({ path }) => path))
  for (const name of await readdir(outdir)) {
    const path = join(outdir, name)
    if (!names.has(path.replace(/\.(?:br|gz)$/, '')) && !name.endsWith('.part'))
      await rm(path, { force: true })
  }
}

function compress(files) {
  return files.flatMap(({ path, contents }) => [
    { path: `${path}.br`, contents: brotliCompressSync(contents) },
    { path: `${path}.gz`, contents: gzipSync(contents, { level: 9 }) },
  ])
}

/**
 * Copies the fonts that a site can choose: of every family the regular, the italic and one bold weight, subset by script,
 * and their licences.
 */
async function copyFonts() {
  const families = join(root, 'node_modules/@fontsource')
  for (const name of await readdir(families)) {
    const from = join(families, name, 'files')
    const names = new Set(await readdir(from))
    // The lighter bold of Merriweather is hardly distinguishable from regular.
    const weights = name === 'merriweather' ? [700] : [600, 700, 500]
    const bold = weights.find((weight) => names.has(`${name}-latin-${weight}-normal.woff2`))
    // The app is set in Inter, with a weight between the two.
    const medium = name === 'inter' ? '|500-normal' : ''
    const isTaken = new RegExp(
      `^${name}-(?:latin|cyrillic|greek|vietnamese)(?:-ext)?-(?:400-normal|400-italic|${bold}-normal${medium})\\.woff2$`,
    )
    const copies = [...names].filter((file) => isTaken.test(file)).map((file) => [join(from, file), file])
    copies.push([join(families, name, 'LICENSE'), `${name}-LICENSE.txt`])
    await copyInto('assets/fonts', copies)
  }
}

/** Copies the fonts of PDFs, and their licences. Most families have more weights than PDFs use. */
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

/** Copies missing files into a folder of the build output. */
async function copyInto(folder, copies) {
  for (const [source, file] of copies) {
    const path = join(dist, folder, file)
    const { size } = await stat(source)
    if ((await stat(path).catch(() => undefined))?.size !== size)
      await writeAll([{ path, contents: await readFile(source) }])
  }
}

/** The hash in the URL of an asset: the server computes the same for the same bytes. */
export function versionOf(bytes) {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16)
}

/**
 * Packages of some hundred modules each, which every program and worker thread loads: bundled, they start in two thirds of
 * the time; with the names of their licences.
 */
const bundledPackages = new Map([
  ['kysely', 'LICENSE'],
  ['typebox', 'license'],
])

/** Builds `dist/server`: `main.js`, its worker threads and their shared chunks; most packages are not bundled. */
export async function buildServer() {
  const { build } = await loadBuilder()
  const folder = join(dist, 'server')
  const { dependencies, optionalDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const packages = Object.keys({ ...dependencies, ...optionalDependencies })
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
    external: packages.filter((name) => !bundledPackages.has(name)),
    splitting: true,
    sourcemap: true,
    logLevel: 'error',
  })
  await writeAll(outputFiles)
  const licences = [...bundledPackages].map(([name, file]) => [
    join(root, 'node_modules', name, file),
    `${name}-LICENSE.txt`,
  ])
  await copyInto('server', licences)
  // Chunks are named by their content: those of earlier builds would accumulate.
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
