/**
 * Size in a browser bundle of what the app shares with the server: the API client, with the methods and paths of all
 * endpoints and nothing else, and the formatter of Markdown, without its parsers.
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Plugin, build } from 'esbuild'
import { expect, test } from 'vitest'
import { editorBytes, firstLoadBytes } from '../dev/app-files.js'
import { getSpace } from '../src/contract/spaces.js'

const folder = join(import.meta.dirname, '../src/contract')
const core = join(import.meta.dirname, '../src/core')
const pluginFile = new URL('../scripts/contract-plugin.mjs', import.meta.url).href
const { contractPlugin } = (await import(pluginFile)) as { readonly contractPlugin: Plugin }
const webBuildFile = new URL('../scripts/build-web.mjs', import.meta.url).href
const { emojiNamesPlugin } = (await import(webBuildFile)) as { readonly emojiNamesPlugin: Plugin }

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
    plugins: [contractPlugin, emojiNamesPlugin],
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
  expect(inputs.filter((input) => input.includes('node_modules'))).toEqual([])
  // Text that looks like a shortcode of an emoji is escaped: their names take 8,800. Measured: 23,900.
  expect(bytes).toBeLessThan(26_000)
})

test('what the editor shares with the server needs no parser either', async () => {
  const modules = (await readdir(join(core, 'editing'))).filter(
    (file) => !/\.test\.ts$|^testing\.ts$/.test(file),
  )
  const exports = modules.map((file, at) => `export * as m${at} from './editing/${file}'`)
  const { text, bytes, inputs } = await bundle(exports.join('\n'), core)
  expect(inputs.some((input) => input.endsWith('src/core/editing/write-edits.ts'))).toBe(true)
  expect(text).not.toContain('satteri')
  expect(inputs.filter((input) => input.includes('node_modules'))).toEqual([])
  // Measured: 35,600, of which the names of emoji take 8,800.
  expect(bytes).toBeLessThan(38_000)
})

test('the first load of the app and its editors stay below their bounds, compressed by brotli', async () => {
  // Measured: 182,000.
  expect(await firstLoadBytes()).toBeLessThan(200_000)
  // With all that they import. Measured: 141,000 and 118,000.
  expect(await editorBytes('rich-view')).toBeLessThan(150_000)
  expect(await editorBytes('source-view')).toBeLessThan(120_000)
})
