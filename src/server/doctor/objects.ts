/**
 * Every object is hashed: what is not what its name says is damaged. It can be had back where another organization
 * holds the same bytes, or where it is a part of what follows from the rest (contents.ts).
 */
import type { Hash, OrganizationId } from '../../core/ids.js'
import { hashOf } from '../../store/content/encoding.js'
import { countObjects, findIntactBytes, repairObject, walkObjects } from '../../store/content/verify.js'
import type { Patient } from './check-context.js'

/** Objects by organization that are there and are not what their names say. */
export type Damaged = ReadonlyMap<OrganizationId, ReadonlySet<Hash>>

/** Answers what is damaged and could not be had back; it is told of where it is named. */
export async function checkObjects({ database, report, complain }: Patient): Promise<Damaged> {
  const damaged = new Map<OrganizationId, Set<Hash>>()
  const task = report.startTask('Objects', await countObjects(database.read))
  let done = 0
  for await (const part of walkObjects(database.read)) {
    for (const { organizationId, hash, bytes } of part) {
      if (hashOf(bytes) === hash) continue
      const whole = await findIntactBytes(database.read, hash)
      const isWell =
        whole !== undefined &&
        (await complain({
          problem: `The object ${hash} of organization ${organizationId} is damaged, and whole elsewhere.`,
          advice: 'It can be copied: octavo doctor --repair.',
          repair: () => database.write((tx) => repairObject(tx, organizationId, hash, whole)),
        }))
      if (!isWell) damaged.set(organizationId, (damaged.get(organizationId) ?? new Set()).add(hash))
    }
    task.advance((done += part.length))
  }
  task.end()
  return damaged
}
