/**
 * Build of the browser app: an entry and lazily loaded chunks below `dist/assets/app`, named by their content, so that
 * browsers cache them for ever; `manifest.json` names the files that the first page loads.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contractPlugin } from './contract-plugin.mjs'

/** Icons of the Lucide set, one module each: `import chevron from 'lucide:chevron-right'` is the markup inside its `<svg>`. */
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
    },
  }
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
    define: { 'process.env.NODE_ENV': '"production"' },
    // Served by their own route.
    external: ['/~octavo/*'],
    plugins: [contractPlugin, lucidePlugin(root)],
    // Its build for browsers is a WebAssembly package that is not installed; the app parses no Markdown.
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
