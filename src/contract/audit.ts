/** The audit log of an organization. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Identifier, ListOf, Timestamp, Words, listQueryWith, shape } from './shapes.js'

export const AuditEvent = shape(
  'AuditEvent',
  Type.Object({
    object: Type.Literal('audit-event'),
    id: Type.String(),
    at: Timestamp,
    action: Type.String({ description: 'An operation of this API, or "signIn", "signInRefused".' }),
    actor: Type.Optional(
      Type.Object(
        { id: Type.String(), displayName: Type.Optional(Type.String()) },
        {
          description: 'Absent when nobody was signed in.',
        },
      ),
    ),
    thing: Type.Optional(Type.String({ description: 'Id of what it was done to.' })),
    place: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Ids on the way to it, by name.',
    }),
    detail: Type.Optional(Type.String()),
    credential: Type.Optional(Type.Object({ type: Words(['token', 'session'] as const), id: Type.String() })),
    ip: Type.Optional(Type.String()),
    userAgent: Type.Optional(Type.String()),
  }),
)
export type AuditEvent = Static<typeof AuditEvent>

export const listAuditEvents = endpoint('listAuditEvents', 'GET', '/orgs/:organizationId/audit', {
  summary: 'Who did what, when and from where; newest first',
  tag: 'organizations',
  query: listQueryWith({
    actor: Type.Optional(Identifier),
    action: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    thing: Type.Optional(Identifier),
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
  }),
  reply: ListOf(AuditEvent),
})
