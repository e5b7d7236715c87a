/** Mounts the MCP servers of sites, at `~octavo/mcp` below every site and variant: access checks and event counting. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../access/route/scope.js'
import { offersMcp } from '../../site/answer.js'
import { matchPath } from '../../site/routing/match-path.js'
import { assetAddresses } from './assets.js'
import { answerMcpRequest, disconnectSignal, isMcpRequest, sendMcpError } from './mcp.js'
import { type ResolvePost, isUnchanged } from './resolve-visit.js'
import type { SiteEventCounter } from './site-events.js'

export interface McpMountOptions {
  readonly services: Services
  readonly resolvePost: ResolvePost
  readonly events: SiteEventCounter
}

export function mountMcp(server: FastifyInstance, { services, resolvePost, events }: McpMountOptions): void {
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const visit = await resolvePost(request)
    if (visit?.access.refusal === 'visitor')
      return sendMcpError(reply.header('www-authenticate', 'Bearer'), 401, 'This site needs a sign-in.')
    const match = visit && matchPath(visit.resolved.site, visit.pathRequest.path)
    if (
      visit === undefined ||
      visit.access.refusal !== undefined ||
      !offersMcp(visit.resolved.site) ||
      match?.kind !== 'mcp'
    )
      return sendMcpError(reply, 404, 'There is no such site.')
    const { variant } = match.choice
    const toolContext = {
      services,
      site: visit.resolved.site,
      variant,
      visitor: visit.identified.visitor,
      signal: disconnectSignal(reply),
      assets: await assetAddresses(),
    }
    return answerMcpRequest(request, reply, {
      toolContext,
      isStillAllowed: async () => isUnchanged(visit, await visit.reload()),
      onAccepted: () =>
        events.countMachineRead(request, visit, { type: 'mcp_request', context: 'mcp', variant }),
    })
  }

  server.addHook('onRequest', (request, reply, done) => {
    if (!isMcpRequest(request.raw)) return done()
    answer(request, reply).catch(done)
  })
}
