/**
 * Server pool: one server program for each worker process, as users start it. A file of tests gets an organization and an
 * administrator of its own in it, as the first start makes them; they are written into the database, as commands do.
 *
 * Starting the server, and the first page that it answers, take six seconds of a processor.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '../../src/access/ids.js'
import { insertSignInLink, startSession } from '../../src/access/signin/sessions.js'
import { newApiToken } from '../../src/access/signin/secrets.js'
import { insertToken } from '../../src/access/signin/tokens.js'
import { markEmailVerified } from '../../src/access/signin/verified-email.js'
import type { OrganizationId, UserId } from '../../src/core/ids.js'
import { createOrganization } from '../../src/resources/organizations/create.js'
import { findUserByEmail, insertUser } from '../../src/resources/users/store.js'
import type { Database } from '../../src/store/db/database.js'
import { openDatabase } from '../../src/store/db/open.js'
import { type ServerProgram, startProgram } from '../server-program.js'

const endWithParent = join(import.meta.dirname, 'end-with-parent.mjs')

export interface Tenant {
  readonly organization: OrganizationId
  readonly email: string
  /** API token of the administrator. */
  readonly token: string
  /** Cookie secret of a session of the administrator. */
  readonly session: string
}

export class SharedServer {
  private count = 0

  private constructor(
    readonly program: ServerProgram,
    private readonly database: Database,
  ) {}

  /** Starts it; it ends with this process. */
  static async start(programPath: string): Promise<SharedServer> {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-app-'))
    // The websites that tests import are on this machine.
    const settings = { OCTAVO_FETCH_NETWORKS: '127.0.0.1' }
    const program = await startProgram(folder, programPath, settings, '0', endWithParent)
    return new SharedServer(program, await openDatabase({ dataFolder: join(folder, 'data') }))
  }

  newTenant(): Promise<Tenant> {
    const now = Date.now()
    const email = `admin${(this.count += 1)}@localhost`
    return this.database.write(async (tx) => {
      const userId = newId<UserId>()
      await insertUser(tx, { id: userId, displayName: 'admin', email, now })
      await markEmailVerified(tx, userId, now)
      const { row } = await createOrganization(tx, userId, { title: 'My organization' }, now)
      const token = newApiToken()
      await insertToken(tx, { userId, token, label: 'First token', now })
      const session = await startSession(
        tx,
        { userId, openedBy: 'link', organizationId: null },
        { now, ip: null, userAgent: null },
      )
      return { organization: row.id, email, token, session }
    })
  }

  /** Returns the address of a link by which a person signs in. */
  signInLink(email: string): Promise<string> {
    return this.database.write(async (tx) => {
      const user = await findUserByEmail(tx, email)
      return `/~octavo/sign-in?link=${await insertSignInLink(tx, user!.id, Date.now())}`
    })
  }
}

let started: Promise<SharedServer> | undefined

/** Returns the server of this process; one that has ended is replaced. */
export async function sharedServer(programPath: string): Promise<SharedServer> {
  const server = await started
  if (server?.program.hasEnded() === false) return server
  started = SharedServer.start(programPath)
  return started
}
