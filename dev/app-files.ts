/** Sizes over the wire (brotli) of the built app: of its first screen, and of what an editor adds to the screen around it. */
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../dist/assets/app')

interface Manifest {
  readonly script: string
  readonly styles: readonly string[]
  readonly preload: readonly string[]
}

/** Bytes of scripts and styles until Home is displayed. */
export async function firstLoadBytes(): Promise<number> {
  const { script, styles, preload } = await readManifest()
  const scripts = await withImports([script, ...preload, await findChunk('home')])
  return bytesOf([...scripts, ...styles])
}

/** Bytes of the scripts of an editor with all that it imports, without those that its screen has loaded. */
export async function editorBytes(chunk: 'rich-view' | 'source-view'): Promise<number> {
  const { script, preload } = await readManifest()
  const screen = await Promise.all(['change', 'page-editor'].map(findChunk))
  const around = await withImports([script, ...preload, ...screen])
  const needed = await withImports([await findChunk(chunk)])
  return bytesOf([...needed].filter((name) => !around.has(name)))
}

async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
}

async function findChunk(chunk: string): Promise<string> {
  const names = await readdir(folder)
  const found = names.find((name) => name.startsWith(`${chunk}-`) && name.endsWith('.js'))
  if (found === undefined) throw new Error(`The app has no chunk "${chunk}"`)
  return found
}

/** Returns the scripts and those that they import statically, at any depth. */
async function withImports(names: readonly string[], to = new Set<string>()): Promise<ReadonlySet<string>> {
  for (const name of names) {
    if (to.has(name)) continue
    to.add(name)
    const script = await readFile(join(folder, name), 'utf8')
    const imported = [...script.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)].map(([, file]) => file!)
    await withImports(imported, to)
  }
  return to
}

async function bytesOf(names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, `${name}.br`))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
