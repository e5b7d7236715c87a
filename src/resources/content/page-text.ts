/**
 * Source text of a page with its blocks, for editors. Blocks depend on the text alone: responses and documents are cached
 * by its hash, so that a text is parsed once for the read and for the edits that follow.
 */
import { type SourceDocument, sourceDocument } from '../../core/editing/source-blocks.js'
import type { Hash } from '../../core/ids.js'
import { type ParsedPage, parsePage } from '../../core/markdown/parse.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { etagOf } from '../../access/http/conditional-requests.js'
import { RouteResponse, cachedJson } from '../../access/route/responses.js'
import type { Services } from '../../access/route/scope.js'
import type { PageText } from '../../contract/page-text.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { encodeText, hashOf } from '../../store/content/encoding.js'
import type { ContentContext } from './content.js'
import type { DocumentSource } from './document.js'
import { visibilityFilterOf } from './visibility.js'

const pageTextKind = cacheKind<Uint8Array>('page text', (json) => json.length)
/** Measured: a document takes some twenty times the characters of its text. */
const documentKind = cacheKind<CachedDocument>('source document', ({ length }) => 500 + length * 20)

interface CachedDocument {
  readonly document: SourceDocument
  /** Of the text. */
  readonly length: number
}

/** Returns the text with its blocks as JSON bytes, cached, with the hash of the text as its entity tag. */
export async function writePageText(
  content: ContentContext,
  source: DocumentSource,
  services: Services,
): Promise<RouteResponse> {
  const [written = ''] = await content.run(loadTexts(source.text === undefined ? [] : [source.text]))
  const text = (await visibilityFilterOf(content))?.text(written, source.page) ?? written
  const hash = text === written && source.text !== undefined ? source.text : hashOfText(text)
  const { content: json } = await cachedJson(services, pageTextKind, hash, async () => {
    const document = createPageParser(services).document(text, hash)
    const presented: PageText = { text, hash, ...document }
    return JSON.stringify(presented)
  })
  return new RouteResponse({ ...json, etag: `W/${etagOf(hash)}`, isConditional: true })
}

/** Returns the hash by which a text is stored. */
export function hashOfText(text: string): Hash {
  return hashOf(encodeText(text))
}

/** Parses texts, each once for one request. */
export interface PageParser {
  page(text: string): ParsedPage
  /** Returns the blocks of a text; those of other requests are cached. */
  document(text: string, hash?: Hash): SourceDocument
}

export function createPageParser({ caches }: Pick<Services, 'caches'>): PageParser {
  const pages = new Map<string, ParsedPage>()
  const documents = new Map<string, SourceDocument>()
  function page(text: string): ParsedPage {
    let parsed = pages.get(text)
    if (parsed === undefined) pages.set(text, (parsed = parsePage(text)))
    return parsed
  }
  return {
    page,
    document(text, hash = hashOfText(text)) {
      const document =
        documents.get(text) ?? caches.find(documentKind, hash)?.document ?? sourceDocument(text, page(text))
      documents.set(text, document)
      caches.put(documentKind, hash, { document, length: text.length })
      return document
    },
  }
}
