/** Reading texts in threads; what stands in for a text that ends each thread that reads it. */
import type { HtmlPage } from '../../core/html/convert.js'
import type { BlockChange } from '../../core/merge/diff-blocks.js'
import type { FoldedPage } from '../search/fold.js'
import type { DocumentParts } from './docx.js'
import {
  type ConvertedDocument,
  type PageToFold,
  type ReadHtmlOptions,
  type TextAnalysis,
  type TextReader,
  failedConversion,
  failedFolding,
  failedReading,
} from './reader.js'
import { WorkerLost, createWorkerPool } from './worker-pool.js'

export type ReadingTask =
  | { readonly describe: string }
  | { readonly convert: readonly [html: string | Uint8Array, options?: ReadHtmlOptions] }
  | { readonly convertDocument: readonly [parts: DocumentParts, isParted: boolean] }
  | { readonly redirect: readonly [markdown: string, destinations: ReadonlyMap<string, string>] }
  | { readonly fold: PageToFold }
  | { readonly follow: readonly [before: string, after: string] }
  | { readonly compare: readonly [before: string, after: string] }
  | { readonly wordsOf: readonly [text: string, key: string] }
export type ReadingResult =
  | TextAnalysis
  | HtmlPage
  | ConvertedDocument
  | Redirected
  | FoldedPage
  | ReadonlyMap<string, string>
  | ChangedBlocks
  | FoundWords

interface ChangedBlocks {
  readonly blocks: readonly BlockChange[] | undefined
}

interface Redirected {
  readonly redirected: string
}

interface FoundWords {
  readonly words: string | undefined
}

/** Milliseconds: a thousand times what an ordinary text takes. */
const readTimeout = 30_000

/** Returns a reader over `count` threads that run the program at `entry` (see `thread.ts`). */
export function createWorkerReader(
  entry: URL,
  count: number,
  options?: { idleTimeout?: number },
): TextReader {
  const threads = createWorkerPool<ReadingTask, ReadingResult>(entry, count, {
    deadline: readTimeout,
    ...options,
  })
  const withFallback = <Read extends ReadingResult>(
    asked: Promise<ReadingResult>,
    instead: (reason: string) => Read,
  ) =>
    (asked as Promise<Read>).catch((error: unknown) => {
      if (error instanceof WorkerLost) return instead(error.message)
      throw error
    })
  return {
    describe: (markdown) => withFallback<TextAnalysis>(threads.run({ describe: markdown }), failedReading),
    convert: (html, options) =>
      withFallback<HtmlPage>(threads.run({ convert: options ? [html, options] : [html] }), failedConversion),
    async convertDocument(parts, isParted) {
      const asked = threads.run({ convertDocument: [parts, isParted] })
      return (
        await withFallback<ConvertedDocument>(asked, (reason) => ({ pages: [failedConversion(reason)] }))
      ).pages
    },
    async redirect(markdown, destinations) {
      const asked = threads.run({ redirect: [markdown, destinations] })
      // Links that lead out of what was imported are better than no text.
      return (await withFallback<Redirected>(asked, () => ({ redirected: markdown }))).redirected
    },
    fold: (page) =>
      withFallback<FoldedPage>(threads.run({ fold: page }), (reason) => failedFolding(page, reason)),
    follow: (before, after) =>
      // A block that cannot be found again is as good as gone.
      withFallback<ReadonlyMap<string, string>>(threads.run({ follow: [before, after] }), () => new Map()),
    async compare(before, after) {
      const asked = threads.run({ compare: [before, after] })
      return (await withFallback<ChangedBlocks>(asked, () => ({ blocks: undefined }))).blocks
    },
    async findWords(text, key) {
      const found = await withFallback<FoundWords>(threads.run({ wordsOf: [text, key] }), () => ({
        words: undefined,
      }))
      return found.words
    },
    prepare: () => threads.prepare(),
    close: () => threads.close(),
  }
}
