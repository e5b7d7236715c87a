/** What every check of `octavo doctor` is handed: the data, and how to tell what is wrong with it. */
import type { Services } from '../../access/route/scope.js'
import type { Database } from '../../store/db/database.js'
import type { Reporter } from '../reporter.js'

export interface Finding {
  /** A sentence. */
  readonly problem: string
  /** A sentence: what a person does about it. */
  readonly advice: string
  /** Mends it, where it follows from what is whole; answers false when it could not. */
  readonly repair?: () => Promise<boolean>
}

export interface Patient {
  readonly services: Services
  readonly database: Database
  readonly report: Reporter
  /** Milliseconds since 1970. */
  readonly now: number
  /** Tells of something wrong, and has it repaired when that was asked for; answers whether it is well now. */
  complain(finding: Finding): Promise<boolean>
}

export const restore = 'Restore the newest backup: octavo restore <backup>.'
export const repairable = 'Say octavo doctor --repair.'
