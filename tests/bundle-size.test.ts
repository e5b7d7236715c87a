/**
 * Size in a browser bundle of what the app shares with the server: the API client, with the methods and paths of all
 * endpoints and nothing else, and the formatter of Markdown, without its parsers.
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Plugin, build } from 'esbuild'
import { expect, test } from 'vitest'
import { getSpace } from '../src/contract/spaces.js'

const folder = join(import.meta.dirname, '../src/contract')
const core = join(import.meta.dirname, '../src/core')
const pluginFile = new URL('../scripts/contract-plugin.mjs', import.meta.url).href
const { contractPlugin } = (await import(pluginFile)) as { readonly contractPlugin: Plugin }

/** Returns the bundle of a program next to the contract, and the files and packages in it. */
async function bundle(program: string, resolveDir = folder) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    plugins: [contractPlugin],
    // Its build for browsers is a WebAssembly package that is not installed.
    external: ['satteri'],
    logLevel: 'silent',
  })
  const { contents, text } = outputFiles[0]!
  const used = Object.values(metafile.outputs)[0]!.inputs
  const inputs = Object.keys(used).filter((file) => used[file]!.bytesInOutput > 0)
  return { text, bytes: gzipSync(contents, { level: 9 }).length, inputs }
}

async function endpointModules(): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return files.filter((_, at) => / from 'typebox'/.test(texts[at]!))
}

test('the client with all endpoints contains methods and paths, and no package', async () => {
  const modules = await endpointModules()
  expect(modules).toContain('merge-rules.ts')
  const exports = ['client.ts', ...modules].map((file, at) => `export * as m${at} from './${file}'`)
  const { text, bytes, inputs } = await bundle(exports.join('\n'))
  expect(inputs.filter((input) => /acorn|yaml|typebox|node_modules/.test(input))).toEqual([])
  expect(text).toContain(getSpace.path)
  expect(text).not.toContain(getSpace.summary)
  // Measured: 9,600.
  expect(bytes).toBeLessThan(10_500)
})

test('endpoints that are not used are dropped', async () => {
  const { text, bytes } = await bundle(
    `import { createApiClient } from './client.ts'
     import { getSpace } from './spaces.ts'
     createApiClient({ baseUrl: '' }).call(getSpace, { params: { spaceId: 'a' } })`,
  )
  expect(text).toContain(getSpace.path)
  expect(text).not.toContain('/orgs/')
  // Measured: 890.
  expect(bytes).toBeLessThan(1_200)
})

test('schemas cannot be imported', async () => {
  await expect(bundle(`import { Space } from './spaces.ts'; console.log(Space)`)).rejects.toThrow('"Space"')
})

test('the formatter of Markdown needs neither the parser of Markdown nor that of YAML', async () => {
  const { text, bytes, inputs } = await bundle(`export * from './markdown/format.ts'`, core)
  expect(inputs.some((input) => input.endsWith('src/core/markdown/format.ts'))).toBe(true)
  expect(text).not.toContain('satteri')
  const packages = inputs.filter((input) => input.includes('node_modules'))
  // Text that looks like a shortcode of an emoji is escaped.
  expect(packages.map((input) => /node_modules\/([^/]+)/.exec(input)![1])).toEqual(['gemoji'])
  // Measured: 30,600, of which gemoji takes 18,000.
  expect(bytes).toBeLessThan(33_000)
})

test('what the editor shares with the server needs no parser either', async () => {
  const modules = (await readdir(join(core, 'editing'))).filter(
    (file) => !/\.test\.ts$|^testing\.ts$/.test(file),
  )
  const exports = modules.map((file, at) => `export * as m${at} from './editing/${file}'`)
  const { text, bytes, inputs } = await bundle(exports.join('\n'), core)
  expect(inputs.some((input) => input.endsWith('src/core/editing/write-edits.ts'))).toBe(true)
  expect(text).not.toContain('satteri')
  const packages = inputs.filter((input) => input.includes('node_modules'))
  expect(packages.map((input) => /node_modules\/([^/]+)/.exec(input)![1])).toEqual(['gemoji'])
  // Measured: 41,200, of which gemoji takes 18,000.
  expect(bytes).toBeLessThan(44_000)
})

test('the first load of the app and its editors stay below their bounds, compressed by brotli', async () => {
  const app = join(import.meta.dirname, '../dist/assets/app')
  const manifest = JSON.parse(await readFile(join(app, 'manifest.json'), 'utf8')) as {
    readonly script: string
    readonly styles: readonly string[]
    readonly preload: readonly string[]
  }
  const sizeOf = async (name: string) => (await readFile(join(app, `${name}.br`))).length
  const first = await Promise.all([manifest.script, ...manifest.styles, ...manifest.preload].map(sizeOf))
  // Measured: 166,000.
  expect(first.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
  const names = await readdir(app)
  const chunk = (name: string) =>
    sizeOf(names.find((one) => one.startsWith(`${name}-`) && one.endsWith('.js'))!)
  // Measured: 83,000 and 110,000.
  expect(await chunk('rich-view')).toBeLessThan(150_000)
  expect(await chunk('source-view')).toBeLessThan(120_000)
})
