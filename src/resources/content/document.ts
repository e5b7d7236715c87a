/**
 * Documents: the texts of pages and of reusable contents as trees of blocks, reached by what holds them or by an id.
 *
 * The id of a document says what held it and which text it was, and is signed for its space: so a text of any time is
 * found without a list of all texts, and in no other space.
 */
import type { Hash, PageId } from '../../core/ids.js'
import { documentJson } from '../../core/document/json.js'
import type { JsonObject } from '../../core/document/json-node.js'
import { parsePage } from '../../core/markdown/parse.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findPage, listReusableContents } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { resolveTargets } from '../../core/pages/targets.js'
import { type Written, writeOnce } from '../../access/route/written.js'
import type { Services } from '../../access/route/scope.js'
import type { Addresses } from '../../contract/addresses.js'
import type { DocumentForm } from '../../contract/content.js'
import { kindOf } from '../../store/cache/kinds.js'
import { ContentDamaged } from '../../store/content/damaged.js'
import type { ContentHere } from './content.js'
import { openingOf, readerKey } from './visibility.js'
import { contentRef } from './present.js'
import { nameForm, workedOut } from './worked-out.js'

const documentKind = kindOf<Uint8Array>('document', (json) => json.length)

/** A text and the file that its links are read from; without one they stay as they were written. */
export interface Held {
  readonly text: Hash | undefined
  /** The page whose text it is; null for what belongs to none. */
  readonly page: PageRecord | null
  readonly file: string | undefined
}

/** Returns the document of a text, as bytes of JSON. */
export function writeDocument(
  content: ContentHere,
  held: Held,
  form: DocumentForm,
  services: Services,
): Promise<Written> {
  const key =
    JSON.stringify([content.revision.id, held.page?.id, held.file, held.text]) +
    nameForm(form) +
    readerKey(content)
  return writeOnce(services, documentKind, key, async () => {
    const [written = ''] = await content.run(loadTexts(held.text === undefined ? [] : [held.text]))
    const text = (await openingOf(content))?.text(written, held.page) ?? written
    const make = (file: string | undefined, said: string) =>
      documentOf(content, file, said, services.addresses)
    const document = await make(held.file, text)
    return JSON.stringify(await workedOut(content, { document, page: held.page }, form, make))
  })
}

/** Returns the document of a text that stands in a file of the content. */
export async function documentOf(
  { revision: { snapshot }, run }: ContentHere,
  file: string | undefined,
  text: string,
  { base }: Addresses,
): Promise<JsonObject> {
  const { document, references } = parsePage(text)
  const urls = file === undefined ? [] : references.map(({ url }) => url)
  const destinations = await run(resolveTargets(snapshot, file ?? '', urls, [base]))
  return documentJson(document, { resolve: (url) => contentRef(destinations.get(url), url) })
}

/** Returns the text that a document id of the space names; undefined for ids that it never gave out. */
export async function findDocument(
  content: ContentHere,
  id: string,
  { addresses }: Services,
): Promise<Held | undefined> {
  const named = addresses.readDocumentId(content.spaceId, id)
  if (named === undefined) return undefined
  const { snapshot } = content.revision
  const page = await content.run(findPage(snapshot, named.holder as PageId))
  const reusable = page ? [] : await content.run(listReusableContents(snapshot))
  const holder = page?.type === 'document' ? page : reusable.find(({ id: held }) => held === named.holder)
  if (content.isForReaders) {
    // Readers of a site are shown what it says, and not what it said once.
    if (holder?.text !== named.text) return undefined
    const opening = await openingOf(content)
    if (page !== undefined && opening !== undefined && !(await opening.isReachable(content, page)))
      return undefined
  }
  // What was made of a specification is stored nowhere: of another version it is gone.
  const mayBeMade = holder === undefined || (page?.type === 'document' && page.generated !== undefined)
  if (mayBeMade && !(await isThere(content, named.text as Hash))) return undefined
  const file = holder === undefined ? undefined : 'file' in holder ? holder.file : holder.path
  return { text: named.text as Hash, page: page ?? null, file }
}

async function isThere(content: ContentHere, text: Hash): Promise<boolean> {
  try {
    await content.run(loadTexts([text]))
    return true
  } catch (error) {
    if (error instanceof ContentDamaged) return false
    throw error
  }
}
