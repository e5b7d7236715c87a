/**
 * Checksum verification of content-addressed objects: an object whose hash differs is damaged. It can be restored where
 * another organization has the same bytes, or where it belongs to derived data (derived.ts).
 */
import type { Hash, OrganizationId } from '../../core/ids.js'
import { countObjects, findIntactBytes, repairObject, walkObjects } from '../../store/content/verify.js'
import type { CheckContext } from './check-context.js'

/** Hashes of damaged objects, by organization. */
export type DamagedObjects = ReadonlyMap<OrganizationId, ReadonlySet<Hash>>

/** Returns the damaged objects that were not restored; the check of the contents reports them where they are used. */
export async function checkObjects({
  database,
  report,
  reportProblem,
}: CheckContext): Promise<DamagedObjects> {
  const damaged = new Map<OrganizationId, Set<Hash>>()
  const task = report.startTask('Objects', await countObjects(database.read))
  let done = 0
  for await (const batch of walkObjects(database.read)) {
    for (const { organizationId, hash, isIntact } of batch) {
      if (isIntact) continue
      const intactBytes = await findIntactBytes(database.read, hash)
      const isRepaired =
        intactBytes !== undefined &&
        (await reportProblem({
          problem: `The object ${hash} of organization ${organizationId} is damaged, and whole elsewhere.`,
          advice: 'It can be copied: octavo doctor --repair.',
          repair: () => database.write((tx) => repairObject(tx, organizationId, hash, intactBytes)),
        }))
      if (!isRepaired) damaged.set(organizationId, (damaged.get(organizationId) ?? new Set()).add(hash))
    }
    task.advance((done += batch.length))
  }
  task.end()
  return damaged
}
