/** Invites: by e-mail address, by a link, by the domain of an address. */
import Type, { type Static } from 'typebox'
import { Collection } from './collections.js'
import { endpoint } from './endpoint.js'
import { limits } from './limits.js'
import { Identifier, ListOf, ListQuery, RoleOrGuest, Timestamp, shape } from './shapes.js'
import { Space } from './spaces.js'

const common = {
  object: Type.Literal('invite'),
  id: Type.String(),
  redundant: Type.Boolean({ description: 'True when you already have at least what the link gives.' }),
}
export const OrganizationInvite = shape('OrganizationInvite', Type.Object({ ...common, role: RoleOrGuest }))
export const SpaceInvite = shape('SpaceInvite', Type.Object({ ...common, level: RoleOrGuest, space: Space }))
export const CollectionInvite = shape(
  'CollectionInvite',
  Type.Object({ ...common, level: RoleOrGuest, collection: Collection }),
)
export type OrganizationInvite = Static<typeof OrganizationInvite>
export type LinkInvite = OrganizationInvite | Static<typeof SpaceInvite> | Static<typeof CollectionInvite>

const LinkInvite = Type.Unsafe<LinkInvite>({ anyOf: [SpaceInvite, CollectionInvite, OrganizationInvite] })

const NewLinkInvite = Type.Unsafe<{
  role?: RoleOrGuestValue
  level?: RoleOrGuestValue
  space?: string
  collection?: string
}>({
  type: 'object',
  anyOf: [
    Type.Object({ level: RoleOrGuest, space: Identifier }),
    Type.Object({ level: RoleOrGuest, collection: Identifier }),
    Type.Object({ role: RoleOrGuest }),
  ],
})
type RoleOrGuestValue = Static<typeof RoleOrGuest>

const place = '/orgs/:organizationId/link-invites'
const one = `${place}/:inviteId` as const
const tag = 'invites'

export const listLinkInvites = endpoint('listOrganizationInviteLinks', 'GET', place, {
  summary: 'The links by which people join the organization',
  tag,
  query: ListQuery,
  reply: ListOf(OrganizationInvite),
})

export const createLinkInvite = endpoint('createOrganizationInvite', 'POST', place, {
  summary: 'Create a link to the organization, a space or a collection',
  tag,
  body: NewLinkInvite,
  reply: LinkInvite,
  success: 201,
})

export const getLinkInvite = endpoint('getOrganizationInviteLink', 'GET', one, {
  summary: 'One invite link',
  tag,
  reply: LinkInvite,
})

export const updateLinkInvite = endpoint('updateOrganizationInviteById', 'PATCH', one, {
  summary: 'Change what an invite link gives: "role" of an organization, "level" of content',
  tag,
  body: Type.Object({ role: Type.Optional(RoleOrGuest), level: Type.Optional(RoleOrGuest) }),
  reply: LinkInvite,
})

export const deleteLinkInvite = endpoint('deleteOrganizationInviteById', 'DELETE', one, {
  summary: 'Revoke an invite link',
  tag,
  success: 205,
})

const Email = Type.String({ format: 'email', maxLength: limits.emailLength })

export const inviteUsers = endpoint('inviteUsersToOrganization', 'POST', '/orgs/:organizationId/invites', {
  summary: 'Invite people by e-mail address; they are pending members until they accept',
  tag,
  body: Type.Object({
    emails: Type.Array(
      Type.Unsafe<string | { email: string; role: RoleOrGuestValue }>({
        anyOf: [Email, Type.Object({ email: Email, role: RoleOrGuest })],
      }),
      { minItems: 1, maxItems: 100 },
    ),
    role: Type.Optional(RoleOrGuest),
    sso: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({
    users: Type.Array(Type.String()),
    invited: Type.Integer(),
    /** A link for each unclaimed account, to be handed over where no mail is sent; it opens this organization only. */
    links: Type.Array(Type.Object({ user: Type.String(), email: Type.String(), url: Type.String() })),
  }),
})

export const joinByInvite = endpoint(
  'joinOrganizationWithInvite',
  'POST',
  '/orgs/:organizationId/invites/:inviteId',
  { summary: 'Join by an invite link', tag, reply: Type.Object({}) },
)

export const joinByDomain = endpoint('joinOrganization', 'POST', '/orgs/:organizationId/join', {
  summary: 'Join as a guest by the domain of your e-mail address, or accept the invitation that you have',
  tag,
  success: 204,
})

export const Invitation = shape(
  'Invitation',
  Type.Object({
    object: Type.Literal('invitation'),
    organization: Type.Object({ id: Type.String(), title: Type.String() }),
    role: RoleOrGuest,
    invitedAt: Timestamp,
  }),
)
export type Invitation = Static<typeof Invitation>

export const listInvitations = endpoint('listInvitations', 'GET', '/user/invitations', {
  summary: 'The organizations that you were invited to and have not answered, newest first',
  tag: 'users',
  query: ListQuery,
  reply: ListOf(Invitation),
})

const ownInvitation = '/user/invitations/:organizationId'

export const acceptInvitation = endpoint('acceptInvitation', 'POST', ownInvitation, {
  summary: 'Accept an invitation: you are a member from now on',
  tag: 'users',
  success: 204,
})

export const declineInvitation = endpoint('declineInvitation', 'DELETE', ownInvitation, {
  summary: 'Decline an invitation',
  tag: 'users',
  success: 204,
})
