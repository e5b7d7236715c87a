import { markEmailVerified } from '../../src/access/signin/verified-email.js'
import { deliverInboxes, indexSpaces, sendWebhooks } from '../background-work.js'
import { processSpecs } from '../openapi-specs.js'
import type { TestClient } from '../test-client.js'
import { type World, pathOf, requestOf } from './tour.js'

/** Returns the world of a tour whose requests are injected, without a connection. */
export const injectedWorld = (api: TestClient, web: string): World => ({
  web,
  domain: 'octavo.test',
  async send(question) {
    const answer = await api.server.inject({
      method: question.endpoint.method as 'GET',
      url: `/v1${pathOf(question)}`,
      ...requestOf(question),
    })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : undefined,
      bytes: answer.rawPayload,
    }
  },
  person: (name) => api.person(name),
  verifyEmail: ({ id }) =>
    api.services.database.write(async (tx) => void (await markEmailVerified(tx, id, api.now()))),
  processSpecs: async () => void (await processSpecs(api)),
  sendWebhook: () => sendWebhooks(api),
  indexContent: () => indexSpaces(api),
  deliverInbox: () => deliverInboxes(api),
  app: (path) => api.services.addresses.app(path),
})
