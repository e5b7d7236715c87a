/** PDF printer: opens the built program that prints. */
import { existsSync } from 'node:fs'
import { type Printer, createPrinter } from '../../store/printing/printer.js'
import { packageRoot } from '../package-root.js'

/** Returns a printer over the built program; throws with a message for the operator where there is none. */
export function openPrinter(): Printer {
  const program = new URL('dist/server/print-program.js', packageRoot)
  if (!existsSync(program)) throw new Error('What makes PDFs is not built: run "npm run build".')
  return createPrinter(program)
}
