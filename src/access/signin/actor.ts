/** Who asks: a signed-in user, or nobody. */
import type { UserId } from '../../core/ids.js'

export interface User {
  readonly id: UserId
  readonly displayName: string
  readonly email: string | null
  readonly photoUrl: string | null
}

export interface Actor {
  readonly userId: UserId
  readonly user: User
  /** By which door: an API token, or a session cookie, whose requests must also prove their origin. */
  readonly by: 'token' | 'session'
}

/** Nobody: a caller without a token, on an operation that allows it. */
export type MaybeActor = Actor | null
