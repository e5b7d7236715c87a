/**
 * Adaptive content (personalization): a published site as one visitor sees it. Their claims are cut by the site's
 * schema, and sections and spaces whose conditions fail are left out. A site that is not adaptive is the same for all.
 */
import {
  type ClaimAnswer,
  type ClaimReader,
  haveSameAnswers,
  createClaimReader,
} from '../../core/conditions/claim-reader.js'
import {
  type Claims,
  type UnfilteredClaims,
  type VisitorSchema,
  filterClaims,
} from '../../core/conditions/visitor-schema.js'
import { type Visitor, claimsKey } from '../../core/visitor/visitor.js'
import type { Services } from '../../access/route/scope.js'
import { parseVisitorSchema } from '../../resources/sites/visitor-schema.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { ResolvedSite } from './find-site.js'
import { hashOf } from './fingerprint.js'
import { type PublishedSite, publishedSite } from './site.js'

export interface PersonalizedSite {
  readonly site: PublishedSite
  /** Hash of all that its pages show apart from their content. */
  readonly fingerprint: string
  /** True when the structure of the site depends on the visitor's claims. */
  readonly isPersonalized: boolean
  /** The visitor with the claims that the schema allows. */
  readonly visitor: Visitor
}

interface SiteVariation extends Omit<PersonalizedSite, 'visitor'> {
  readonly usedClaims: readonly ClaimAnswer[]
}

/** Cached variations per site, a bound against clients that send ever new claims. */
const maxVariations = 16
const schemaKind = cacheKind<VisitorSchema>(
  'visitor schema',
  ({ claims }) => 4 * JSON.stringify(claims).length,
)
const variationsKind = cacheKind<readonly SiteVariation[]>('site for visitors', (variations) =>
  variations.reduce(
    (sum, { site, usedClaims }) => sum + 2_000 + site.variants.length * 1_000 + usedClaims.length * 500,
    0,
  ),
)
const noClaims: Claims = { unsigned: {} }

/** Returns the site as the visitor sees it. */
export function personalizeSite(
  services: Services,
  resolved: ResolvedSite,
  visitor: Visitor,
): PersonalizedSite {
  const { site, fingerprint } = resolved
  if (!site.isAdaptive) return { site, fingerprint, isPersonalized: false, visitor }
  const claims = claimsOf(services, resolved, visitor)
  const { unsigned, ...signed } = claims
  const claimReader = createClaimReader(claims)
  const variation =
    resolved.conditions === undefined
      ? { site, fingerprint, isPersonalized: false }
      : variationFor(services, resolved, claimReader)
  return {
    ...variation,
    site: { ...variation.site, claimReader },
    visitor: { ...visitor, claims: signed, unsigned: unsigned as Claims },
  }
}

function variationFor(
  { caches, addresses }: Services,
  resolved: ResolvedSite,
  reader: ClaimReader,
): SiteVariation {
  const key = `${resolved.entryPoint} ${resolved.conditions!}`
  const known = caches.find(variationsKind, key) ?? []
  const same = known.find(({ usedClaims }) => haveSameAnswers(usedClaims, reader.claims))
  if (same !== undefined) return same
  const ownReader = createClaimReader(reader.claims)
  const published = publishedSite(addresses, resolved.siteRows, {
    entryPoint: resolved.entryPoint,
    claimReader: ownReader,
  })
  const { linkTargets, specifications } = resolved.site
  const site = { ...published, linkTargets, specifications }
  const variation = {
    site,
    fingerprint: hashOf(`${resolved.fingerprint} ${site.fingerprint}`),
    isPersonalized: ownReader.answers.length > 0,
    usedClaims: ownReader.answers,
  }
  caches.put(variationsKind, key, [variation, ...known].slice(0, maxVariations))
  return variation
}

/** Without a schema the signed claims of tokens are used and the unsigned ones dropped. */
function claimsOf(
  { caches }: Services,
  { schema }: ResolvedSite,
  { claims, unsigned, token }: Visitor,
): Claims {
  if (claimsKey({ claims, unsigned, token }) === '') return noClaims
  if (schema === undefined) return { ...(claims as Claims), unsigned: {} }
  let schemaClaims = caches.find(schemaKind, schema.key)
  if (schemaClaims === undefined) {
    schemaClaims = parseVisitorSchema(schema.text)
    caches.put(schemaKind, schema.key, schemaClaims)
  }
  return filterClaims(schemaClaims, { signed: claims, unsigned } as UnfilteredClaims)
}
