/** The audit log of an organization. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { IdentifierOf, ListOf, Timestamp, Words, listQueryWith, shape } from './shapes.js'

export const AuditEvent = shape(
  'AuditEvent',
  Type.Object({
    object: Type.Literal('audit-event'),
    id: Type.String(),
    at: Timestamp,
    action: Type.String({ description: 'The operationId of the operation, or "signIn", "signInRefused".' }),
    actor: Type.Optional(
      Type.Object(
        { id: Type.String(), displayName: Type.Optional(Type.String()) },
        {
          description: 'Who did it; absent where nobody was signed in.',
        },
      ),
    ),
    thing: Type.Optional(Type.String({ description: 'Id of the resource that was changed.' })),
    place: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Ids in the path of the resource, by parameter name.',
    }),
    detail: Type.Optional(Type.String()),
    credential: Type.Optional(Type.Object({ type: Words(['token', 'session'] as const), id: Type.String() })),
    ip: Type.Optional(Type.String()),
    userAgent: Type.Optional(Type.String()),
  }),
)
export type AuditEvent = Static<typeof AuditEvent>

export const listAuditEvents = endpoint('listAuditEvents', 'GET', '/orgs/:organizationId/audit', {
  summary: 'List audit events',
  description: 'Returns who did what, when and from where, newest first.',
  tag: 'Organizations',
  query: listQueryWith({
    actor: Type.Optional(IdentifierOf('a user, to return only what they did')),
    action: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The operationId of an operation.' }),
    ),
    thing: Type.Optional(IdentifierOf('a resource, to return only what was done to it')),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'The earliest time.' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'The latest time.' })),
  }),
  reply: ListOf(AuditEvent),
})
