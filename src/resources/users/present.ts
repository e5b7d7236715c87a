/** Wire format of a user. */
import type { Addresses } from '../../contract/addresses.js'
import type { User } from '../../contract/users.js'
import type { UserRow } from './store.js'

type Presentable = Pick<UserRow, 'id' | 'display_name' | 'email' | 'photo_url'>

export function presentUser(addresses: Addresses, row: Presentable): User {
  return {
    object: 'user',
    id: row.id,
    displayName: row.display_name,
    ...(row.email === null ? {} : { email: row.email }),
    ...(row.photo_url === null ? {} : { photoURL: row.photo_url }),
    urls: { location: addresses.api(`/users/${row.id}`) },
  }
}
