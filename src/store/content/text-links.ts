/**
 * What texts say of links, kept under the hashes of the texts: written by whoever puts a text and has read it anyway, so
 * that lists of links read no texts. What is missing or of another version is read again by those who ask.
 */
import type { Hash, OrganizationId } from '../../core/ids.js'
import { type TextLinks, noLinks } from '../../core/links/text-links.js'
import type { Db, Tx } from '../db/database.js'
import { takeTurns } from './turns.js'

/** Of the reading: what an older one made is made anew. Raise it when the same text gives other links or fragments. */
export const linksVersion = 1

/** Few, because a row takes some twentieths of a millisecond, and on SQLite nobody else runs meanwhile. */
const hashesPerQuery = 128
const rowsPerInsert = 256

export function packLinks(links: TextLinks): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(links))
}

/** Returns what was packed; of anything else, that a text says nothing. */
export function unpackLinks(bytes: Uint8Array): TextLinks {
  const { references, anchors } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<TextLinks>
  return references === undefined || anchors === undefined ? noLinks : { references, anchors }
}

/** Bytes of memory, about. */
export function linksWeight({ references, anchors }: TextLinks): number {
  let weight = 200
  for (const { url } of references) weight += 150 + url.length * 2
  for (const anchor of anchors) weight += 40 + anchor.length * 2
  return weight
}

/** Answers what is kept of these texts. */
export async function findTextLinks(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<Map<Hash, TextLinks>> {
  const found = new Map<Hash, TextLinks>()
  const turn = takeTurns()
  for (const [hash, packed] of await findPackedLinks(db, organizationId, hashes)) {
    const rest = turn()
    if (rest !== undefined) await rest
    found.set(hash, unpackLinks(packed))
  }
  return found
}

/** Answers the same as it is kept. */
export async function findPackedLinks(
  db: Db,
  organizationId: OrganizationId,
  hashes: readonly Hash[],
): Promise<Map<Hash, Uint8Array>> {
  const found = new Map<Hash, Uint8Array>()
  const turn = takeTurns()
  for (let at = 0; at < hashes.length; at += hashesPerQuery) {
    const rows = await db
      .selectFrom('text_links')
      .select(['hash', 'links'])
      .where('organization_id', '=', organizationId)
      .where('hash', 'in', padded(hashes.slice(at, at + hashesPerQuery)))
      .where('version', '=', linksVersion)
      .execute()
    for (const { hash, links } of rows) {
      const rest = turn()
      if (rest !== undefined) await rest
      found.set(hash, links)
    }
  }
  return found
}

/** Keeps what texts say that are written already; what another version said is replaced. */
export async function putTextLinks(
  tx: Tx,
  organizationId: OrganizationId,
  packed: readonly (readonly [Hash, Uint8Array])[],
): Promise<void> {
  const sorted = packed.toSorted(([a], [b]) => (a < b ? -1 : 1))
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

/** Repeats the last hash up to a power of two: few lengths make few statements, which stay prepared. */
function padded(hashes: readonly Hash[]): readonly Hash[] {
  const length = 2 ** Math.ceil(Math.log2(hashes.length))
  return [...hashes, ...Array.from({ length: length - hashes.length }, () => hashes.at(-1)!)]
}
