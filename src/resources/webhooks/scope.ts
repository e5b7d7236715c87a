/** The steps `/webhooks/:webhookId` of an organization and `/deliveries/:deliveryId` of a webhook, by the organization's rules. */
import { type LoadRequest, perhapsWithin, within } from '../../access/route/scope.js'
import type { WebhookDeliveryId, WebhookId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { type WebhookRow, findDelivery, findWebhook } from './store.js'

const step = {
  key: 'webhook',
  thing: 'webhook',
  find: ({ db }: LoadRequest, id: string, { organization }: { readonly organization: OrganizationOf }) =>
    findWebhook(db, { organization_id: organization.row.id, id: id as WebhookId }),
} as const

export const inWebhook = within(inOrganization, 'webhookId', step)

/** The same for removing one, which may be gone already. */
export const atWebhook = perhapsWithin(inOrganization, 'webhookId', step)

export const inDelivery = within(inWebhook, 'deliveryId', {
  key: 'delivery',
  thing: 'delivery',
  find: ({ db }: LoadRequest, id: string, { webhook }: { readonly webhook: WebhookRow }) =>
    findDelivery(db, webhook, id as WebhookDeliveryId),
})
