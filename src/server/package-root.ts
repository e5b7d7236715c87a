/** The folder of the installed package. Bundled files lie two steps below it, and so does this source. */
import { readFileSync } from 'node:fs'

export const packageRoot = new URL('../../', import.meta.url)

/** Returns the version of the package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
    version: string
  }
  return version
}
