/** Route scopes `/webhooks/:webhookId` of an organization and `/deliveries/:deliveryId` of a webhook, authorized as the organization. */
import { type LoadRequest, optionalSubresourceScope, subresourceScope } from '../../access/route/scope.js'
import type { WebhookDeliveryId, WebhookId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { type WebhookRow, findDelivery, findWebhook } from './store.js'

const step = {
  key: 'webhook',
  noun: 'webhook',
  find: ({ db }: LoadRequest, id: string, { organization }: { readonly organization: OrganizationContext }) =>
    findWebhook(db, { organization_id: organization.row.id, id: id as WebhookId }),
} as const

export const inWebhook = subresourceScope(inOrganization, 'webhookId', step)

/** The same for idempotent deletion. */
export const atWebhook = optionalSubresourceScope(inOrganization, 'webhookId', step)

export const inDelivery = subresourceScope(inWebhook, 'deliveryId', {
  key: 'delivery',
  noun: 'delivery',
  find: ({ db }: LoadRequest, id: string, { webhook }: { readonly webhook: WebhookRow }) =>
    findDelivery(db, webhook, id as WebhookDeliveryId),
})
