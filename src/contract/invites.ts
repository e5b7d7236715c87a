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
  redundant: Type.Boolean({
    description: 'True if you already have at least the access that the link grants.',
  }),
  urls: Type.Object({
    app: Type.String({
      description: 'Address to share: who opens it signs in and joins. It is the whole secret.',
    }),
    location: Type.String(),
  }),
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
const tag = 'Invites'

export const listLinkInvites = endpoint('listOrganizationInviteLinks', 'GET', place, {
  summary: 'List invite links',
  description: 'Returns the links with which people join the organization.',
  tag,
  query: ListQuery,
  reply: ListOf(OrganizationInvite),
})

export const createLinkInvite = endpoint('createOrganizationInvite', 'POST', place, {
  summary: 'Create an invite link',
  description: 'Creates a link that admits people to the organization, or to one space or collection of it.',
  tag,
  body: NewLinkInvite,
  reply: LinkInvite,
  success: 201,
})

export const getLinkInvite = endpoint('getOrganizationInviteLink', 'GET', one, {
  summary: 'Get an invite link',
  description: 'Returns one invite link.',
  tag,
  reply: LinkInvite,
})

export const updateLinkInvite = endpoint('updateOrganizationInviteById', 'PATCH', one, {
  summary: 'Update an invite link',
  description:
    'Changes what the link grants: `role` of a link to the organization, `level` of a link to a space or collection.',
  tag,
  body: Type.Object({ role: Type.Optional(RoleOrGuest), level: Type.Optional(RoleOrGuest) }),
  reply: LinkInvite,
})

export const deleteLinkInvite = endpoint('deleteOrganizationInviteById', 'DELETE', one, {
  summary: 'Delete an invite link',
  description: 'Revokes the link: nobody can join with it any more.',
  tag,
  success: 205,
})

const Email = Type.String({ format: 'email', maxLength: limits.emailLength })

export const inviteUsers = endpoint('inviteUsersToOrganization', 'POST', '/orgs/:organizationId/invites', {
  summary: 'Invite people by e-mail',
  description:
    'Adds people as pending members until they accept. `links` has a sign-in link for each new account, to be handed over where the server sends no mail.',
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
  {
    summary: 'Join with an invite link',
    description: 'Adds you to the organization with the access that the link grants.',
    tag,
    reply: Type.Object({}),
  },
)

export const joinByDomain = endpoint('joinOrganization', 'POST', '/orgs/:organizationId/join', {
  summary: 'Join an organization',
  description:
    'Accepts the invitation that you have, or makes you a guest where the organization admits the domain of your e-mail address.',
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
  summary: 'List your invitations',
  description: 'Returns the organizations that invited you and that you have not answered, newest first.',
  tag: 'Users',
  query: ListQuery,
  reply: ListOf(Invitation),
})

const ownInvitation = '/user/invitations/:organizationId'

export const acceptInvitation = endpoint('acceptInvitation', 'POST', ownInvitation, {
  summary: 'Accept an invitation',
  description: 'Makes you a member of the organization that invited you.',
  tag: 'Users',
  success: 204,
})

export const declineInvitation = endpoint('declineInvitation', 'DELETE', ownInvitation, {
  summary: 'Decline an invitation',
  description: 'Removes the invitation to an organization.',
  tag: 'Users',
  success: 204,
})
