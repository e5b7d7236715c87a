/**
 * PDF generation: compiles `book.json` and the picture files of a folder to `book.pdf`. Runs in a separate process, which
 * can be killed at any time: the time and memory that the library needs for user content are not bounded.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { privateFileMode } from '../../store/files/private-permissions.js'
import type { UploadDetail } from '../../store/printing/printer.js'
import { iconBody } from '../blocks/icons.js'
import { type Book, writeBook } from './book.js'
import { loadCompiler } from './compiler.js'
import type { Picture } from './context.js'
import { type BookFile, preparePicture } from './pictures.js'

/** The format of `book.json`. */
export interface PrintJob {
  readonly book: Book
  readonly files: readonly BookFile[]
}

export interface PrintOptions {
  /** Folder with the font files. */
  readonly fonts: string
  readonly care: UploadDetail
  readonly progress: (done: number) => void
}

/** Writes `book.pdf` and returns its number of pages; throws the diagnostics of the compiler. */
export async function printBook(folder: string, { fonts, care, progress }: PrintOptions): Promise<number> {
  const { book, files } = JSON.parse(await readFile(join(folder, 'book.json'), 'utf8')) as PrintJob
  const pictures = new Map<string, Picture>()
  if (care !== 'none') {
    for (const file of files) {
      const picture = await preparePicture(folder, file, care === 'pixels')
      if (picture !== undefined) pictures.set(file.source, picture)
    }
  }
  const drawn = new Map<string, string>()
  const draw = (svg: string): string => {
    const name = `${createHash('sha256').update(svg).digest('hex').slice(0, 20)}.svg`
    drawn.set(name, svg)
    return name
  }
  const source = writeBook(book, {
    picture: (address) => pictures.get(address),
    drawing: draw,
    icon(name, color) {
      const body = iconBody(name)
      return body === undefined
        ? undefined
        : draw(
            `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">${body.replaceAll('currentColor', color)}</svg>`,
          )
    },
    progress,
  })
  for (const [name, svg] of drawn) await writeFile(join(folder, name), svg, { mode: privateFileMode })
  await writeFile(join(folder, 'book.typ'), source, { mode: privateFileMode })
  const compiler = loadCompiler().create({ workspace: folder, fontArgs: [{ fontPaths: [fonts] }] })
  const compiled = compiler.compile({ mainFilePath: join(folder, 'book.typ') })
  const { result } = compiled
  if (result === null)
    throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics).slice(0, 2_000))
  const pages = result.numOfPages
  await writeFile(join(folder, 'book.pdf'), compiler.pdf(result), { mode: privateFileMode })
  return pages
}
