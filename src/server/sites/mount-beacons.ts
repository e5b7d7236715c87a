/** Mounts the beacons of readers' browsers below every site: access checks before `beacons.ts` records them. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../access/route/scope.js'
import { openContent } from '../../site/pages/content.js'
import { matchPath } from '../../site/routing/match-path.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'
import { assetAddresses } from './assets.js'
import { isBeacon, receiveBeacon } from './beacons.js'
import type { ResolvePost } from './resolve-visit.js'
import type { SiteEventCounter } from './site-events.js'
import { siteNotFound } from './site-sign-in.js'

export interface BeaconMountOptions {
  readonly services: Services
  readonly now: () => number
  readonly resolvePost: ResolvePost
  readonly events: SiteEventCounter
}

export function mountBeacons(
  server: FastifyInstance,
  { services, now, resolvePost, events }: BeaconMountOptions,
): void {
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const visit = await resolvePost(request)
    const site = visit?.access.refusal === undefined ? visit?.resolved.site : undefined
    const match = site && matchPath(site, visit!.pathRequest.path)
    if (match?.kind === 'beacon') {
      const { variant } = match.choice
      const content = await openContent(services, site!, variant)
      const assets = await assetAddresses()
      const eventContext = events.contextOf(request, visit!, variant)
      const beacon = { action: match.what, path: match.path, content, eventContext }
      if (await receiveBeacon(request, reply, beacon, { services, now, assets })) return
    }
    sendAnswer(request, reply, readyAnswer(await siteNotFound(), 'private'))
  }

  server.addHook('onRequest', (request, reply, done) => {
    if (!isBeacon(request.raw)) return done()
    answer(request, reply).catch(done)
  })
}
