/** Preferences of users: a JSON column with what differs from the defaults. */
import type { UserId } from '../../core/ids.js'
import { type MailFrequency, type MailKind, type Preferences, mailKinds } from '../../contract/preferences.js'
import type { Db, Tx } from '../../store/db/database.js'

interface StoredPreferences {
  readonly language?: string | null
  readonly theme?: Preferences['theme']
  readonly mail?: { readonly [Kind in MailKind]?: MailFrequency }
}

export async function findPreferences(db: Db, userId: UserId): Promise<Preferences> {
  return present(await read(db, userId))
}

/** Merges a change into the preferences of a user and returns them. */
export async function changePreferences(
  tx: Tx,
  userId: UserId,
  { mail, ...others }: StoredPreferences,
): Promise<Preferences> {
  const before = await read(tx, userId)
  const after = { ...before, ...others, mail: { ...before.mail, ...mail } }
  await tx
    .updateTable('users')
    .set({ preferences: JSON.stringify(after) })
    .where('id', '=', userId)
    .execute()
  return present(after)
}

async function read(db: Db, userId: UserId): Promise<StoredPreferences> {
  const row = await db.selectFrom('users').select('preferences').where('id', '=', userId).executeTakeFirst()
  return row?.preferences == null ? {} : (JSON.parse(row.preferences) as StoredPreferences)
}

function present({ language = null, theme = 'system', mail = {} }: StoredPreferences): Preferences {
  const frequencies = Object.keys(mailKinds).map((kind) => [kind, mail[kind as MailKind] ?? 'at-once'])
  return {
    object: 'preferences',
    language,
    theme,
    mail: Object.fromEntries(frequencies) as Preferences['mail'],
  }
}
