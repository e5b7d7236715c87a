/**
 * The library that sets documents, as far as it is used here. It is machine code, which its makers publish for the
 * platforms below; elsewhere there is none, and PDFs say so.
 */
import { createRequire } from 'node:module'

interface Compiled {
  readonly result: { readonly numOfPages: number } | null
  takeDiagnostics(): { readonly shortDiagnostics: readonly unknown[] } | null
}

export interface Compiler {
  compile(from: { readonly mainFilePath: string } | { readonly mainFileContent: string }): Compiled
  pdf(document: NonNullable<Compiled['result']>): Buffer
  query(document: NonNullable<Compiled['result']>, asked: { selector: string; field: string }): unknown
}

interface Library {
  readonly NodeCompiler: {
    create(settings: {
      readonly workspace: string
      readonly fontArgs?: readonly { readonly fontPaths: readonly string[] }[]
    }): Compiler
  }
}

const family = '@myriaddreamin/typst-ts-node-compiler'

/** Returns the library; throws with a sentence where there is none for this machine. */
export function loadCompiler(): Library['NodeCompiler'] {
  const load = createRequire(import.meta.url)
  for (const libc of ['gnu', 'musl']) {
    try {
      return (load(`${family}-${process.platform}-${process.arch}-${libc}`) as Library).NodeCompiler
    } catch {
      // Made for another machine, or not installed.
    }
  }
  throw new Error(`nothing that makes PDFs is installed for ${process.platform} on ${process.arch}`)
}
