/** The API client of the app: the public API of this server, with the session cookie. */
import { createApiClient } from '../../contract/client.js'

export const api = createApiClient({ baseUrl: '' })
export { ApiRequestError } from '../../contract/client.js'
