/** Context of the checks of `octavo doctor`: the data, and a function that reports problems. */
import type { Services } from '../../access/route/scope.js'
import type { Database } from '../../store/db/database.js'
import type { Reporter } from '../reporter.js'

export interface DetectedProblem {
  /** A sentence. */
  readonly problem: string
  /** A sentence: what the operator does about it. */
  readonly advice: string
  /** Rebuilds it from intact data, where that is possible; resolves to false when it failed. */
  readonly repair?: () => Promise<boolean>
}

export interface CheckContext {
  readonly services: Services
  readonly database: Database
  readonly report: Reporter
  /** Milliseconds since 1970. */
  readonly now: number
  /** Reports a problem, and repairs it in repair mode; resolves to whether it is repaired. */
  reportProblem(finding: DetectedProblem): Promise<boolean>
}

export const restoreAdvice = 'Restore the newest backup: octavo restore <backup>.'
export const repairAdvice = 'Say octavo doctor --repair.'
