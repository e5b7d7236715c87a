/** A text reader in worker threads, with fallbacks for texts that kill each worker that reads them. */
import type { HtmlPage } from '../../core/html/convert.js'
import type { BlockChange } from '../../core/merge/diff-blocks.js'
import type { TrackedBlock } from '../../core/merge/track-blocks.js'
import type { BlockSource } from '../../core/merge/unchanged-blocks.js'
import type { WordBlock } from '../../core/comments/word-blocks.js'
import type { JsonLimits, ParsedJson } from '../../core/bounded-json.js'
import type { FoldedPage } from '../search/fold.js'
import type { DocumentParts } from './docx-elements.js'
import {
  type ClipboardContent,
  type ConvertedClipboard,
  type ConvertedDocument,
  type PageToFold,
  type ReadHtmlOptions,
  type TextAnalysis,
  type TextReader,
  failedClipboard,
  failedConversion,
  failedFolding,
  failedReading,
  parseJsonBytes,
} from './reader.js'
import { WorkerLost, createWorkerPool } from './worker-pool.js'

export type ReadingTask =
  | { readonly describe: string }
  | { readonly convert: readonly [html: string | Uint8Array, options?: ReadHtmlOptions] }
  | { readonly convertClipboard: ClipboardContent }
  | { readonly convertDocument: readonly [parts: DocumentParts, isParted: boolean] }
  | { readonly redirect: readonly [markdown: string, destinations: ReadonlyMap<string, string>] }
  | { readonly fold: PageToFold }
  | { readonly follow: readonly [before: string, after: string] }
  | { readonly blocksOf: string }
  | { readonly unchanged: readonly [before: string, after: string] }
  | { readonly compare: readonly [before: string, after: string] }
  | { readonly wordsOf: readonly [text: string, key: string] }
  | { readonly wordBlocksOf: string }
  | { readonly parseJson: readonly [bytes: Uint8Array, limits: JsonLimits] }
export type ReadingResult =
  | TextAnalysis
  | HtmlPage
  | ConvertedClipboard
  | ConvertedDocument
  | Redirected
  | FoldedPage
  | ReadonlyMap<string, TrackedBlock>
  | readonly BlockSource[]
  | ReadonlyMap<string, string>
  | ChangedBlocks
  | FoundWords
  | readonly WordBlock[]
  | ParsedJson

interface ChangedBlocks {
  readonly blocks: readonly BlockChange[] | undefined
}

interface Redirected {
  readonly redirected: string
}

interface FoundWords {
  readonly words: string | undefined
}

/** Request bodies sent to the worker ahead: each is copied. */
const bodiesAhead = 2
/**
 * Milliseconds: a hundred times what the worst text takes on an idle machine. Reading is bounded by steps; this only ends a
 * thread that hangs, because its result is stored, and must not depend on what else the machine does.
 */
const readTimeout = 300_000

/** Returns a reader over `count` workers that run the program at `entry` (see `worker.ts`). */
export function createWorkerReader(
  entry: URL,
  count: number,
  options?: { idleTimeout?: number },
): TextReader {
  const workers = createWorkerPool<ReadingTask, ReadingResult>(entry, count, {
    deadline: readTimeout,
    ...options,
  })
  // A worker of its own: a request does not wait for the texts of an import.
  const bodyWorker = createWorkerPool<ReadingTask, ReadingResult>(entry, 1, {
    deadline: readTimeout,
    prefetch: bodiesAhead,
    ...options,
  })
  const withFallback = <Read extends ReadingResult>(
    result: Promise<ReadingResult>,
    fallback: (reason: string) => Read,
  ) =>
    (result as Promise<Read>).catch((error: unknown) => {
      if (error instanceof WorkerLost) return fallback(error.message)
      throw error
    })
  return {
    describe: (markdown) => withFallback<TextAnalysis>(workers.run({ describe: markdown }), failedReading),
    convert: (html, options) =>
      withFallback<HtmlPage>(workers.run({ convert: options ? [html, options] : [html] }), failedConversion),
    convertClipboard: (content) =>
      withFallback<ConvertedClipboard>(workers.run({ convertClipboard: content }), failedClipboard),
    async convertDocument(parts, isParted) {
      const result = workers.run({ convertDocument: [parts, isParted] })
      return (
        await withFallback<ConvertedDocument>(result, (reason) => ({ pages: [failedConversion(reason)] }))
      ).pages
    },
    async redirect(markdown, destinations) {
      const result = workers.run({ redirect: [markdown, destinations] })
      // Links out of the import are better than no text.
      return (await withFallback<Redirected>(result, () => ({ redirected: markdown }))).redirected
    },
    fold: (page) =>
      withFallback<FoldedPage>(workers.run({ fold: page }), (reason) => failedFolding(page, reason)),
    follow: (before, after) =>
      // A block that cannot be found counts as removed.
      withFallback<ReadonlyMap<string, TrackedBlock>>(
        workers.run({ follow: [before, after] }),
        () => new Map(),
      ),
    listBlocks: (text) => withFallback<readonly BlockSource[]>(workers.run({ blocksOf: text }), () => []),
    findUnchanged: (before, after) =>
      // All blocks count as changed.
      withFallback<ReadonlyMap<string, string>>(workers.run({ unchanged: [before, after] }), () => new Map()),
    async compare(before, after) {
      const result = workers.run({ compare: [before, after] })
      return (await withFallback<ChangedBlocks>(result, () => ({ blocks: undefined }))).blocks
    },
    async findWords(text, key) {
      const found = await withFallback<FoundWords>(workers.run({ wordsOf: [text, key] }), () => ({
        words: undefined,
      }))
      return found.words
    },
    wordBlocks: (text) => withFallback<readonly WordBlock[]>(workers.run({ wordBlocksOf: text }), () => []),
    parseJson: (bytes, limits) =>
      (bodyWorker.run({ parseJson: [bytes, limits] }) as Promise<ParsedJson>).catch((error: unknown) => {
        if (error instanceof WorkerLost) return parseJsonBytes(bytes, limits)
        throw error
      }),
    prepare: () => workers.prepare(),
    close: async () => void (await Promise.all([workers.close(), bodyWorker.close()])),
  }
}
