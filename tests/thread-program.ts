/** Worker thread programs, built for tests as `npm run build` builds them: a worker thread runs no TypeScript. */
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Builds the program from its source file, into a new folder that is the caller's to remove. */
export async function buildThread(
  source: string,
): Promise<{ readonly program: URL; readonly folder: string }> {
  // Inside the checkout, so that the packages are found that the program imports.
  const folder = await mkdtemp(join(import.meta.dirname, '../node_modules/.octavo-thread-'))
  const program = join(folder, 'thread.mjs')
  await build({
    entryPoints: [source],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  return { program: pathToFileURL(program), folder }
}
