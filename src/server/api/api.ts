/** The API: every route table on one screen, mounted below `/v1`. */
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { type MountOptions, mountRoutes } from '../../access/route/mount.js'
import type { Route } from '../../access/route/route.js'
import { noStore } from '../http/headers.js'
import { auditRoutes } from '../../resources/audit/routes.js'
import { historyRoutes } from '../../resources/history/routes.js'
import { findMergedChangeRequests } from '../../resources/change-requests/find-merged.js'
import { changeRequestRoutes } from '../../resources/change-requests/routes.js'
import { collectionRoutes } from '../../resources/collections/routes.js'
import { commentRoutes } from '../../resources/comments/routes.js'
import { inboxRoutes } from '../../resources/inbox/routes.js'
import { linkRoutes } from '../../resources/links/routes.js'
import { mergeCheckRoutes } from '../../resources/merge-checks/routes.js'
import { customFieldRoutes } from '../../resources/custom-fields/routes.js'
import { isUsedBySite } from '../../resources/sites/used-specifications.js'
import { openApiSpecRoutes } from '../../resources/openapi-specs/routes.js'
import { spaceTranslationRoutes } from '../../resources/translations/space-translation-routes.js'
import { translationRoutes } from '../../resources/translations/routes.js'
import { inviteRoutes } from '../../resources/invites/routes.js'
import { memberRoutes } from '../../resources/members/routes.js'
import { organizationRoutes } from '../../resources/organizations/routes.js'
import { permissionRoutes } from '../../resources/permissions/routes.js'
import { checkMergeRules } from '../../resources/reviews/check-merge-rules.js'
import { reviewRoutes } from '../../resources/reviews/routes.js'
import { samlProviderRoutes } from '../../resources/saml-providers/routes.js'
import { searchRoutes } from '../../resources/search/routes.js'
import { sessionRoutes } from '../../resources/sessions/routes.js'
import { siteAudienceRoutes } from '../../resources/sites/audience-routes.js'
import { siteCustomizationRoutes } from '../../resources/sites/customization-routes.js'
import { siteEventRoutes } from '../../resources/insights/event-routes.js'
import { siteInsightsRoutes } from '../../resources/insights/routes.js'
import { siteAdaptiveRoutes } from '../../resources/sites/adaptive-routes.js'
import { siteRedirectRoutes } from '../../resources/sites/redirect-routes.js'
import { siteScriptRoutes } from '../../resources/sites/script-routes.js'
import { siteRoutes } from '../../resources/sites/routes.js'
import { siteSearchRoutes } from '../../resources/sites/search-routes.js'
import { siteStructureRoutes } from '../../resources/sites/structure-routes.js'
import { spaceContentRoutes } from '../../resources/spaces/content-routes.js'
import { pdfRoutes } from '../../resources/pdfs/routes.js'
import { eventRoutes } from '../../resources/events/routes.js'
import { conversionRoutes } from '../../resources/imports/conversion-routes.js'
import { exportRoutes } from '../../resources/exports/routes.js'
import { importRoutes } from '../../resources/imports/routes.js'
import { spaceLocationRoutes } from '../../resources/spaces/location-routes.js'
import { spaceRoutes } from '../../resources/spaces/routes.js'
import { teamRoutes } from '../../resources/teams/routes.js'
import { tokenRoutes } from '../../resources/tokens/routes.js'
import { userRoutes } from '../../resources/users/routes.js'
import { webhookRoutes } from '../../resources/webhooks/routes.js'
import { comparisonRoutes } from '../../site/comparison-routes.js'
import { previewRoutes } from '../../site/preview-routes.js'
import { urlRoutes } from '../../site/urls/routes.js'
import { assetAddresses } from '../sites/assets.js'

/** The index of the API. */
export const routes: readonly Route[] = [
  ...userRoutes,
  ...tokenRoutes,
  ...sessionRoutes,
  ...organizationRoutes,
  ...memberRoutes,
  ...teamRoutes,
  ...inviteRoutes,
  ...collectionRoutes,
  ...customFieldRoutes,
  ...openApiSpecRoutes(isUsedBySite),
  ...translationRoutes,
  ...spaceTranslationRoutes,
  ...auditRoutes,
  ...webhookRoutes,
  ...samlProviderRoutes,
  ...spaceRoutes,
  ...spaceLocationRoutes,
  ...permissionRoutes,
  ...spaceContentRoutes(findMergedChangeRequests),
  ...searchRoutes,
  ...importRoutes,
  ...conversionRoutes,
  ...exportRoutes,
  ...changeRequestRoutes(checkMergeRules),
  ...historyRoutes,
  ...pdfRoutes,
  ...commentRoutes,
  ...reviewRoutes,
  ...inboxRoutes,
  ...linkRoutes,
  ...mergeCheckRoutes,
  ...siteRoutes,
  ...siteStructureRoutes,
  ...siteCustomizationRoutes,
  ...siteScriptRoutes,
  ...siteAdaptiveRoutes,
  ...siteRedirectRoutes,
  ...siteAudienceRoutes,
  ...siteSearchRoutes,
  ...siteInsightsRoutes,
  ...siteEventRoutes,
  ...eventRoutes,
  ...urlRoutes,
  ...previewRoutes(assetAddresses),
  ...comparisonRoutes,
]

/** Mounts the routes with their own parsers: uploads that are no form are not parsed, their handler reads the stream. */
export async function mountApi(
  server: FastifyInstance,
  mounting: MountOptions,
  mounted: readonly Route[] = routes,
) {
  await server.register(
    async (api) => {
      await api.register(multipart)
      api.addHook('onRequest', async (_request, reply) => void reply.headers(noStore))
      api.addContentTypeParser(['application/zip', 'application/octet-stream'], (_request, _payload, done) =>
        done(null),
      )
      mountRoutes(api, mounted, mounting)
    },
    { prefix: '/v1' },
  )
}
