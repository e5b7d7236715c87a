/**
 * A page of a site as plain values and answers to questions: what is made of its text is made from these, here or in a
 * thread with a deadline, which asks back.
 */
import type { ToldUpdate } from '../../core/document/updates.js'
import type { Hash } from '../../core/ids.js'
import type { NamedBlock } from '../../core/openapi/shown-words.js'
import { nameOf } from '../../core/pages/paths.js'
import { type Target, resolveTargets } from '../../core/pages/targets.js'
import type { DocumentPage, FileRecord } from '../../core/pages/types.js'
import type { PieceResult } from '../../store/reading/pieces.js'
import type { Piece } from '../blocks/context.js'
import { type ShownContent, contentLanguage, inputsOf, isReachable, readOpenTexts } from './content.js'
import type { Place, Questions, Seen } from './load.js'

/** Something made of a page in a thread; two tasks with equal members have equal answers. */
export interface PageTask {
  /** Its body as HTML, its text written out, or the updates in it. */
  readonly kind: 'page' | 'markdown' | 'updates'
  readonly place: Place
  readonly text: string
  /** Site, revision and page: what the answers to its questions follow from. */
  readonly of: readonly string[]
}

/** A question that a page in a thread asks. */
export type Question =
  | { readonly resolve: readonly string[] }
  | { readonly texts: readonly Hash[] }
  | { readonly piece: Piece }
  | { readonly specifications: readonly NamedBlock[] }

/** Where a page stands, and the answers about it. */
export interface AskedPage {
  readonly place: Place
  readonly questions: Questions
}

/** Returns a page as it is asked about; `seenAs` says what a target is to its readers. */
export function askedPage(
  shown: ShownContent,
  page: DocumentPage,
  seenAs: (url: string, target: Target) => Seen,
): AskedPage {
  const { linker, site, content, pieces, addresses } = shown
  const files = new Map<string, FileRecord>()
  return {
    place: {
      title: page.title,
      file: page.file,
      readme: nameOf(content.revision.snapshot.config.readme),
      inputs: inputsOf(shown, page),
      isAdaptive: site.isAdaptive,
      searchHref: linker.search.href,
      language: contentLanguage(shown),
      externalInNewTab: site.customization.externalLinks.target === 'blank',
      isWide: page.layout?.width === 'wide',
    },
    questions: {
      async resolve(urls) {
        const step = resolveTargets(content.revision.snapshot, page.file, urls, [addresses.base])
        const targets = await content.run(step)
        const seen = await Promise.all(
          [...targets].map(async ([url, target]) => {
            if (target.kind === 'file') files.set(url, target.file)
            // Its title and description are as closed as the page.
            const isClosed = target.kind === 'page' && !(await isReachable(shown, target.page))
            return [url, seenAs(url, isClosed ? { kind: 'broken', path: url } : target)] as const
          }),
        )
        return new Map(seen)
      },
      texts: (hashes) => readOpenTexts(shown, page, hashes),
      piece: (piece) => pieces.ask(piece),
      specifications: (asked) => shown.readAsked(asked, page, (src) => files.get(src)),
    },
  }
}

/** Has something made of a text of the page in a thread. */
export function askAside(
  { pages, site, variant, content }: ShownContent,
  page: DocumentPage,
  { kind, place, questions, text }: AskedPage & Pick<PageTask, 'kind' | 'text'>,
): Promise<PieceResult> {
  const task: PageTask = {
    kind,
    place: { ...place, isAside: true },
    text,
    of: [
      site.fingerprint,
      JSON.stringify(site.specifications),
      site.base,
      variant.spaceId,
      content.revision.id,
      page.id,
    ],
  }
  return pages.ask(task, async (asked) => {
    const question = asked as Question
    if ('resolve' in question) return questions.resolve(question.resolve)
    if ('specifications' in question) return questions.specifications(question.specifications)
    return 'texts' in question ? questions.texts(question.texts) : questions.piece(question.piece)
  })
}

/** Has the updates of a long text read in a thread; none when there are none, or it takes too long. */
export async function askUpdates(
  shown: ShownContent,
  page: DocumentPage,
  text: string,
): Promise<{ readonly updates: readonly ToldUpdate[] | undefined; readonly isFinal: boolean }> {
  const { place, questions } = askedPage(shown, page, (url) => ({ link: { href: url } }))
  const result = await askAside(shown, page, { kind: 'updates', place, questions, text })
  if ('lost' in result) return { updates: undefined, isFinal: result.lost !== 'busy' }
  return { updates: result.about as readonly ToldUpdate[] | undefined, isFinal: true }
}
