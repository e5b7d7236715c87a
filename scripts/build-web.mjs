/**
 * Build of the browser app: an entry and lazily loaded chunks below `dist/assets/app`, named by their content, so that
 * browsers cache them for ever; `manifest.json` names the files that the first page loads.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contractPlugin } from './contract-plugin.mjs'

/** Icons of the Lucide set, one module each: `import chevron from 'lucide:chevron-right'` is the markup inside its `<svg>`; `icon-names` has the names, one a line. */
export function lucidePlugin(root) {
  let set
  return {
    name: 'lucide',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^lucide:/ }, ({ path }) => ({
        path: path.slice('lucide:'.length),
        namespace: 'lucide',
      }))
      onLoad({ filter: /.*/, namespace: 'lucide' }, async ({ path }) => {
        set ??= JSON.parse(await readFile(join(root, 'node_modules/@iconify-json/lucide/icons.json'), 'utf8'))
        const icon = set.icons[path] ?? set.icons[set.aliases?.[path]?.parent]
        if (icon === undefined) return { errors: [{ text: `The Lucide set has no icon "${path}"` }] }
        return { contents: `export default ${JSON.stringify(icon.body)}`, loader: 'js' }
      })
      onResolve({ filter: /^icon-names$/ }, ({ path }) => ({ path, namespace: 'icon-names' }))
      onLoad({ filter: /.*/, namespace: 'icon-names' }, async () => {
        set ??= JSON.parse(await readFile(join(root, 'node_modules/@iconify-json/lucide/icons.json'), 'utf8'))
        return { contents: Object.keys(set.icons).join('\n'), loader: 'text' }
      })
    },
  }
}

/**
 * The parser of Markdown is native: the app asks the server for the blocks of a text. Modules of core that import it are
 * used in part; a build in which the parser itself is used fails.
 */
const noParserPlugin = {
  name: 'no-parser',
  setup({ onResolve, onLoad, onEnd }) {
    onResolve({ filter: /^satteri$/ }, ({ path }) => ({ path, namespace: 'no-parser', sideEffects: false }))
    onLoad({ filter: /.*/, namespace: 'no-parser' }, () => ({
      contents: 'export const markdownToMdast = undefined',
    }))
    onEnd(({ metafile }) => {
      const users = Object.values(metafile?.outputs ?? {}).filter(
        ({ inputs }) => (inputs['no-parser:satteri']?.bytesInOutput ?? 0) > 0,
      )
      if (users.length > 0)
        return { errors: [{ text: 'The app uses the parser of Markdown, which browsers do not have' }] }
      return undefined
    })
  },
}

/** Compiles the names of emoji in: the package has their pictures, tags and descriptions too, five times as much. */
export const emojiNamesPlugin = {
  name: 'emoji-names',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]core[\\/]markdown[\\/]emoji-names\.ts$/ }, async () => {
      const { nameToEmoji } = await import('gemoji')
      const names = JSON.stringify(Object.keys(nameToEmoji).toSorted().join(' '))
      return { contents: `export const emojiNames = new Set(${names}.split(' '))`, loader: 'js' }
    })
  },
}

/** Returns the files of the app with absolute paths; `build` is that of esbuild. */
export async function bundleWeb(build, { root, outdir }) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { app: 'src/web/main.tsx' },
    outdir,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    // Templates of spaces.
    loader: { '.md': 'text' },
    define: { 'process.env.NODE_ENV': '"production"' },
    // Served by their own route.
    external: ['/~octavo/*'],
    plugins: [contractPlugin, lucidePlugin(root), noParserPlugin, emojiNamesPlugin],
    conditions: ['production', 'browser'],
    logLevel: 'error',
  })
  const entry = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === 'src/web/main.tsx',
  )
  const [script, { cssBundle, imports }] = entry
  const nameOf = (path) => path.split('/').at(-1)
  const manifest = {
    script: nameOf(script),
    styles: cssBundle === undefined ? [] : [nameOf(cssBundle)],
    preload: imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => nameOf(path)),
  }
  const contents = Buffer.from(JSON.stringify(manifest))
  return { files: outputFiles, manifest: { path: join(outdir, 'manifest.json'), contents } }
}
