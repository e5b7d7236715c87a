/** Home page of the product: the sites and spaces that the reader may open. Signing in is in `sign-in/`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { readConsistently } from '../../access/route/consistent-read.js'
import type { Actor } from '../../access/signin/actor.js'
import { opensOrganization, signInUrl } from '../../access/signin/credential-scope.js'
import type { Db } from '../../store/db/database.js'
import { listInvitations } from '../../resources/invites/store.js'
import { listOrganizationsOf } from '../../resources/organizations/store.js'
import { listPublicSites, listVisibleSites } from '../../resources/sites/store.js'
import { listVisibleSpaces } from '../../resources/spaces/store.js'
import { type HomeEntry, type HomeGroup, type HomeInvitation, homePage } from '../../site/layout/home.js'
import type { SiteResponse } from '../../site/answer.js'
import { mountPreview } from './preview.js'
import { mountSitePreview } from './site-preview.js'
import { createSendApp } from '../web/app-shell.js'
import { productFrame } from './product-frame.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

/** Entries of one kind on the page; the API lists them all. */
const maxEntries = 200

export function mountHome(server: FastifyInstance, mounting: MountOptions): void {
  const { services, signIn } = mounting
  const { addresses } = services

  const sendApp = createSendApp(mounting)

  server.get('/', async (request, reply) => {
    if (await sendApp(request, reply)) return reply
    const actor = await signIn(request)
    const readContext = await services.caches.readContext(request.raw)
    const { groups, invitations } = await readConsistently({ services, readContext }, async ({ db }) => ({
      groups: actor === null ? await publicGroups(db) : await groupsOf(db, actor),
      invitations: actor === null ? [] : await invitationsOf(db, actor),
    }))
    const body = homePage(await productFrame(), { groups, invitations, reader: actor?.user.displayName })
    return sendPage(request, reply, body)
  })

  async function publicGroups(db: Db): Promise<HomeGroup[]> {
    const sites = await listPublicSites(db, maxEntries)
    const entries = sites.map((site) => ({
      title: site.title,
      href: addresses.site(site.organization_hostname, site.basename, site.hostname),
    }))
    return entries.length === 0 ? [] : [{ title: 'Published here', entries }]
  }

  /** Only for credentials of the whole user: one for a single organization may be in other hands. */
  async function invitationsOf(db: Db, { userId, onlyIn }: Actor): Promise<HomeInvitation[]> {
    if (onlyIn !== null) return []
    const { items } = await listInvitations(db, userId, { limit: maxEntries })
    return items.map(({ organization_id: id, title }) => ({ id, title }))
  }

  async function groupsOf(db: Db, actor: Actor): Promise<HomeGroup[]> {
    const organizations = await listOrganizationsOf(db, actor, { limit: maxEntries })
    const groups: HomeGroup[] = []
    for (const { row, role } of organizations.items) {
      if (!opensOrganization(actor, row.id)) {
        const entry = {
          title: 'Sign in with single sign-on',
          href: signInUrl(addresses, row.id),
          icon: 'lock',
        }
        groups.push({ title: row.title, entries: [entry] })
        continue
      }
      const reader = { userId: actor.userId, organizationId: row.id, role }
      const sites = await listVisibleSites(db, reader, { limit: maxEntries })
      const spaces = await listVisibleSpaces(db, reader, { limit: maxEntries })
      const entries: HomeEntry[] = [
        ...sites.items
          .filter(({ published }) => published === 1)
          .map((site) => ({
            title: site.title,
            href: addresses.site(row.hostname, site.basename, site.hostname),
            detail: `Site, ${site.visibility}`,
            icon: 'globe',
          })),
        ...spaces.items.map((space) => ({
          title: space.title,
          href: `/s/${space.id}/`,
          detail: 'Space',
          ...(space.emoji === null ? { icon: 'book-open' } : { emoji: space.emoji }),
        })),
      ]
      groups.push({ title: row.title, entries })
    }
    return groups
  }

  mountPreview(server, mounting)
  mountSitePreview(server, mounting)
}

function sendPage(request: FastifyRequest, reply: FastifyReply, body: string, status = 200): FastifyReply {
  const answer: SiteResponse = {
    status,
    contentType: 'text/html; charset=utf-8',
    body,
    isIndexed: status === 200,
  }
  // One URL, whose content depends on the signed-in user.
  return sendAnswer(request, reply.header('vary', 'cookie'), readyAnswer(answer, 'private'))
}
