/** Size of the API client in a browser bundle, with the methods and paths of all endpoints and nothing else. */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Plugin, build } from 'esbuild'
import { expect, test } from 'vitest'
import { getSpace } from '../src/contract/spaces.js'

const folder = join(import.meta.dirname, '../src/contract')
const pluginFile = new URL('../scripts/contract-plugin.mjs', import.meta.url).href
const { contractPlugin } = (await import(pluginFile)) as { readonly contractPlugin: Plugin }

/** Returns the bundle of a program next to the contract, and the files and packages in it. */
async function bundle(program: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: folder, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    plugins: [contractPlugin],
    logLevel: 'silent',
  })
  const { contents, text } = outputFiles[0]!
  const inputs = Object.keys(metafile.inputs)
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
  // Measured: 8,400.
  expect(bytes).toBeLessThan(9_500)
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
