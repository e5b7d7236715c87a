/** Mail that notifies the admins of an organization that a webhook was switched off. */
import type { Services } from '../../access/route/scope.js'
import { listAdmins } from '../../resources/members/store.js'
import { findOrganization } from '../../resources/organizations/store.js'
import { findUsers } from '../../resources/users/store.js'
import type { sendWebhookDisabledJob } from '../../resources/webhooks/deliver.js'
import { findWebhook } from '../../resources/webhooks/store.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { quotedInMail } from './name-in-mail.js'

/** Admins who get a mail; of a large organization not every one needs it. */
const maxRecipients = 50

/** Returns the handler of `sendWebhookDisabledJob`. */
export function webhookDisabledHandler(
  send: (mail: { to: string; subject: string; text: string }) => Promise<void>,
  { database }: Pick<Services, 'database'>,
): JobHandler<typeof sendWebhookDisabledJob> {
  return async ({ organizationId, webhookId }) => {
    const organization = await findOrganization(database.read, organizationId)
    const webhook = await findWebhook(database.read, { organization_id: organizationId, id: webhookId })
    // It may have been removed, or switched on again.
    if (organization === undefined || webhook === undefined || webhook.disabled_at === null) return
    const admins = await listAdmins(database.read, organizationId, maxRecipients)
    const people = await findUsers(database.read, admins)
    const title = quotedInMail(organization.title, 'an organization')
    const name = quotedInMail(webhook.title, webhook.id)
    const text = [
      `The webhook ${name} of ${title} was switched off, because its receiver failed for too long:`,
      '',
      webhook.url,
      '',
      'Its deliveries tell what was answered. When the receiver works again, set "active" to true:',
      `PATCH /v1/orgs/${organizationId}/webhooks/${webhookId}`,
      '',
    ].join('\n')
    for (const { email } of people.values()) {
      if (email) await send({ to: email, subject: 'A webhook was switched off', text })
    }
  }
}
