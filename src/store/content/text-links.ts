/**
 * Derived index of the links in texts, by the hash of the text: written by code that puts a text and has parsed it anyway,
 * so that lists of links parse no texts. Missing entries, and those of another version, are derived again when needed.
 */
import type { Hash, OrganizationId } from '../../core/ids.js'
import { type TextLinks, noLinks } from '../../core/links/text-links.js'
import type { Db, Tx } from '../db/database.js'
import { yieldToEventLoop } from './yield-to-event-loop.js'

/** Version of the parser: older entries are derived again. Raise it when the same text gives other links or fragments. */
export const linksVersion = 1

/** Few, because a row takes some twentieths of a millisecond, which blocks the event loop on SQLite. */
const hashesPerQuery = 128
const rowsPerInsert = 256

export function encodeLinks(links: TextLinks): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(links))
}

/** Returns the encoded links; none for anything else. */
export function decodeLinks(bytes: Uint8Array): TextLinks {
  const { references, anchors } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<TextLinks>
  return references === undefined || anchors === undefined ? noLinks : { references, anchors }
}

/** Approximate bytes of memory. */
export function linksWeight({ references, anchors }: TextLinks): number {
  let weight = 200
  for (const { url } of references) weight += 150 + url.length * 2
  for (const anchor of anchors) weight += 40 + anchor.length * 2
  return weight
}

/** Returns the stored links of these texts. */
export async function findTextLinks(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<Map<Hash, TextLinks>> {
  const found = new Map<Hash, TextLinks>()
  const yieldIfDue = yieldToEventLoop()
  for (const [hash, encoded] of await findEncodedLinks(db, organizationId, hashes)) {
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
    found.set(hash, decodeLinks(encoded))
  }
  return found
}

/** Returns the same in encoded form. */
export async function findEncodedLinks(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<Map<Hash, Uint8Array>> {
  const found = new Map<Hash, Uint8Array>()
  const yieldIfDue = yieldToEventLoop()
  for (let at = 0; at < hashes.length; at += hashesPerQuery) {
    const rows = await db
      .selectFrom('text_links')
      .select(['hash', 'links'])
      .where('organization_id', '=', organizationId)
      .where('hash', 'in', padded(hashes.slice(at, at + hashesPerQuery)))
      .where('version', '=', linksVersion)
      .execute()
    for (const { hash, links } of rows) {
      const pause = yieldIfDue()
      if (pause !== undefined) await pause
      found.set(hash, links)
    }
  }
  return found
}

/** Stores links of texts that are already written; replaces entries of another version. */
export async function putTextLinks(
  tx: Tx,
  organizationId: OrganizationId,
  encoded: readonly (readonly [Hash, Uint8Array])[],
): Promise<void> {
  const sorted = encoded.toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < sorted.length; at += rowsPerInsert) {
    const rows = sorted.slice(at, at + rowsPerInsert).map(([hash, links]) => {
      return { organization_id: organizationId, hash, version: linksVersion, links }
    })
    await tx
      .insertInto('text_links')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'hash'])
          .doUpdateSet({
            version: (is) => is.ref('excluded.version'),
            links: (is) => is.ref('excluded.links'),
          })
          .where('text_links.version', '<>', linksVersion),
      )
      .execute()
  }
}

/** Repeats the last hash up to a power of two: few lengths need few prepared statements. */
function padded(hashes: readonly Hash[]): readonly Hash[] {
  const length = 2 ** Math.ceil(Math.log2(hashes.length))
  return [...hashes, ...Array.from({ length: length - hashes.length }, () => hashes.at(-1)!)]
}
