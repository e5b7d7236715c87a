/**
 * The product's own few pages: what there is to read, and signing in and out.
 *
 * A sign-in link is used up by a button, not by opening it: mail programs open links to look at them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Mounting } from '../access/route/mount.js'
import type { Actor } from '../access/signin/actor.js'
import { opens, signInUrl } from '../access/signin/reach.js'
import { isOwnOrigin, readCookie } from '../access/signin/request.js'
import { endSession, openSession, sessionCookie, sessionLife } from '../access/signin/sessions.js'
import { ApiError } from '../contract/errors.js'
import { listOrganizationsOf } from '../resources/organizations/store.js'
import { listPublicSites, listVisibleSites } from '../resources/sites/store.js'
import { listVisibleSpaces } from '../resources/spaces/store.js'
import { type HomeEntry, type HomeGroup, homePage, signInPage } from '../site/layout/home.js'
import { errorPage } from '../site/layout/other-pages.js'
import type { Answer } from '../site/answer.js'
import { mountPreview } from './preview.js'
import { productFrame } from './product-frame.js'
import { readyAnswer, sendAnswer } from './send-answer.js'

/** Entries of one kind that the page shows; the API lists them all. */
const mostEntries = 200

export function mountHome(server: FastifyInstance, mounting: Mounting): void {
  const { services, now, signIn } = mounting
  const { database, addresses } = services
  const isSecure = addresses.base.startsWith('https:')
  const origin = new URL(addresses.base).origin

  server.get('/', async (request, reply) => {
    const actor = await signIn(request)
    const groups = actor === null ? await publicGroups() : await groupsOf(actor)
    const body = homePage(await productFrame(), { groups, reader: actor?.user.displayName })
    return sendPage(request, reply, body)
  })

  async function publicGroups(): Promise<HomeGroup[]> {
    const sites = await listPublicSites(database.read, mostEntries)
    const entries = sites.map((site) => ({
      title: site.title,
      href: addresses.site(site.organization_hostname, site.basename, site.hostname),
    }))
    return entries.length === 0 ? [] : [{ title: 'Published here', entries }]
  }

  async function groupsOf(actor: Actor): Promise<HomeGroup[]> {
    const organizations = await listOrganizationsOf(database.read, actor, { limit: mostEntries })
    const groups: HomeGroup[] = []
    for (const { row, role } of organizations.items) {
      if (!opens(actor, row.id)) {
        const entry = {
          title: 'Sign in with single sign-on',
          href: signInUrl(addresses, row.id),
          icon: 'lock',
        }
        groups.push({ title: row.title, entries: [entry] })
        continue
      }
      const reader = { userId: actor.userId, organizationId: row.id, role }
      const sites = await listVisibleSites(database.read, reader, { limit: mostEntries })
      const spaces = await listVisibleSpaces(database.read, reader, { limit: mostEntries })
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

  server.get<{ Querystring: { link?: string } }>('/~octavo/sign-in', async (request, reply) =>
    sendPage(request, reply, signInPage(await productFrame(), request.query.link)),
  )

  // Forms are read here and nowhere else.
  server.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 10_000 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
    )

    forms.post<{ Body: { link?: string } | undefined }>('/~octavo/sign-in', async (request, reply) => {
      // Without this another page could sign its visitors in as somebody else.
      if (!isOwnOrigin(request, origin)) return refuse(request, reply, new ApiError('cross_site_request'))
      try {
        const secret = await database.write((tx) =>
          openSession(tx, request.body?.link ?? '', {
            now: now(),
            userAgent: request.headers['user-agent'] ?? null,
            ip: request.ip,
          }),
        )
        return await reply
          .header('set-cookie', cookie(secret, Math.floor(sessionLife / 1000)))
          .header('cache-control', 'no-store')
          .redirect('/', 303)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return refuse(request, reply, error)
      }
    })

    forms.post('/~octavo/sign-out', async (request, reply) => {
      if (!isOwnOrigin(request, origin)) return refuse(request, reply, new ApiError('cross_site_request'))
      const secret = readCookie(request.headers.cookie, sessionCookie)
      if (secret !== undefined) await database.write((tx) => endSession(tx, secret))
      return reply.header('set-cookie', cookie('', 0)).header('cache-control', 'no-store').redirect('/', 303)
    })
  })

  function cookie(secret: string, maxAge: number): string {
    const secure = isSecure ? '; Secure' : ''
    return `${sessionCookie}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    error: ApiError,
  ): Promise<FastifyReply> {
    const body = errorPage(await productFrame(), {
      title: error.status === 401 ? 'This link does not work' : 'Not allowed',
      message: error.message,
    })
    return sendPage(request, reply, body, error.status)
  }

  mountPreview(server, mounting)
}

function sendPage(request: FastifyRequest, reply: FastifyReply, body: string, status = 200): FastifyReply {
  const answer: Answer = { status, contentType: 'text/html; charset=utf-8', body, isIndexed: status === 200 }
  // The page differs by who asks, at one address.
  return sendAnswer(request, reply.header('vary', 'cookie'), readyAnswer(answer, 'private'))
}
