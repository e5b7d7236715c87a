/**
 * Typst compiler: loads the native library of the platform. On platforms without a published build, PDFs fail with an
 * error that says so.
 */
import { createRequire } from 'node:module'

interface CompilationResult {
  readonly result: { readonly numOfPages: number } | null
  takeDiagnostics(): { readonly shortDiagnostics: readonly unknown[] } | null
}

export interface TypstCompiler {
  compile(from: { readonly mainFilePath: string } | { readonly mainFileContent: string }): CompilationResult
  pdf(document: NonNullable<CompilationResult['result']>): Buffer
  query(
    document: NonNullable<CompilationResult['result']>,
    query: { selector: string; field: string },
  ): unknown
}

interface TypstLibrary {
  readonly NodeCompiler: {
    create(settings: {
      readonly workspace: string
      readonly fontArgs?: readonly { readonly fontPaths: readonly string[] }[]
    }): TypstCompiler
  }
}

const packagePrefix = '@myriaddreamin/typst-ts-node-compiler'

/** Returns the library; throws if none is installed for this platform. */
export function loadCompiler(): TypstLibrary['NodeCompiler'] {
  const load = createRequire(import.meta.url)
  for (const libc of ['gnu', 'musl']) {
    try {
      return (load(`${packagePrefix}-${process.platform}-${process.arch}-${libc}`) as TypstLibrary)
        .NodeCompiler
    } catch {
      // Built for another platform, or not installed.
    }
  }
  throw new Error(`nothing that makes PDFs is installed for ${process.platform} on ${process.arch}`)
}
