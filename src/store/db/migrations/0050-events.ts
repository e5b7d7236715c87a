/** Events of spaces and sites, and the webhooks of organizations that receive them. */
import type { Migration } from './types.js'

export const events: Migration = {
  name: '0050-events',
  statements: ({ text, integer, end }) => [
    `create table events (
      organization_id ${text} not null references organizations (id) on delete cascade,
      stream ${text} not null,
      number ${integer} not null,
      id ${text} not null,
      type ${text} not null,
      space_id ${text},
      data ${text} not null,
      at ${integer} not null,
      primary key (organization_id, stream, number),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
    ${end}`,
    'create index events_by_space on events (organization_id, space_id)',
    'create index events_by_time on events (at)',

    `create table webhooks (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      title ${text} not null,
      url ${text} not null,
      active ${integer} not null,
      key_generation ${integer} not null,
      key_rotated_at ${integer},
      is_slow ${integer} not null,
      failing_since ${integer},
      disabled_at ${integer},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      primary key (organization_id, id)
    ${end}`,
    'create index webhooks_by_created on webhooks (organization_id, created_at, id)',

    `create table webhook_subscriptions (
      organization_id ${text} not null,
      type ${text} not null,
      webhook_id ${text} not null,
      primary key (organization_id, type, webhook_id),
      foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade
    ${end}`,
    'create index webhook_subscriptions_by_webhook on webhook_subscriptions (organization_id, webhook_id)',

    `create table webhook_deliveries (
      organization_id ${text} not null,
      id ${text} not null,
      webhook_id ${text} not null,
      number ${integer} not null,
      event_id ${text} not null,
      type ${text} not null,
      payload ${text} not null,
      status ${text} not null,
      attempts ${text} not null,
      due_at ${integer},
      request_headers ${text},
      response ${text},
      replay_of ${text},
      created_at ${integer} not null,
      done_at ${integer},
      primary key (organization_id, id),
      foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade
    ${end}`,
    'create index webhook_deliveries_by_created on webhook_deliveries (organization_id, webhook_id, created_at, id)',
    'create index webhook_deliveries_by_number on webhook_deliveries (organization_id, webhook_id, number)',
    `create index webhook_deliveries_waiting on webhook_deliveries (organization_id, webhook_id, number, id) where status = 'waiting'`,
    'create index webhook_deliveries_done on webhook_deliveries (done_at) where done_at is not null',
  ],
}
