/**
 * A published site as it is shown to one visitor: what is known of them is cut by the site's schema, and sections and
 * spaces that are not for them are left out. A site that is not adaptive is the same for everybody.
 */
import { type Asked, type Asker, comesToSame, createAsker } from '../../core/conditions/asker.js'
import {
  type Claims,
  type GivenClaims,
  type VisitorSchema,
  cutClaims,
} from '../../core/conditions/visitor-schema.js'
import { type Visitor, nameClaims } from '../../core/visitor/visitor.js'
import type { Services } from '../../access/route/scope.js'
import { openVisitorSchema } from '../../resources/sites/visitor-schema.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { ReachedSite } from './find-site.js'
import { hashOf } from './fingerprint.js'
import { type ShownSite, shownSite } from './site.js'

export interface SiteForVisitor {
  readonly site: ShownSite
  /** Names what its pages show apart from their content. */
  readonly fingerprint: string
  /** True when something of the site itself was asked of the visitor. */
  readonly isChosen: boolean
  /** Whoever comes, as far as the site may know of them. */
  readonly visitor: Visitor
}

interface Shape extends Omit<SiteForVisitor, 'visitor'> {
  readonly asked: readonly Asked[]
}

/** Shapes of one site that are kept: whoever says one thing after another of themselves makes no more of them. */
const mostShapes = 16
const schemaKind = kindOf<VisitorSchema>('visitor schema', ({ claims }) => 4 * JSON.stringify(claims).length)
const shapesKind = kindOf<readonly Shape[]>('site for visitors', (shapes) =>
  shapes.reduce((sum, { site, asked }) => sum + 2_000 + site.variants.length * 1_000 + asked.length * 500, 0),
)
const nothingKnown: Claims = { unsigned: {} }

/** Returns the site as it is shown to a visitor. */
export function showTo(services: Services, found: ReachedSite, visitor: Visitor): SiteForVisitor {
  const { site, fingerprint } = found
  if (!site.isAdaptive) return { site, fingerprint, isChosen: false, visitor }
  const claims = claimsOf(services, found, visitor)
  const { unsigned, ...signed } = claims
  const asker = createAsker(claims)
  const shape =
    found.conditions === undefined ? { site, fingerprint, isChosen: false } : shapeFor(services, found, asker)
  return {
    ...shape,
    site: { ...shape.site, asker },
    visitor: { ...visitor, claims: signed, unsigned: unsigned as Claims },
  }
}

function shapeFor({ caches, addresses }: Services, found: ReachedSite, asker: Asker): Shape {
  const key = `${found.door} ${found.conditions!}`
  const known = caches.find(shapesKind, key) ?? []
  const same = known.find(({ asked }) => comesToSame(asked, asker.claims))
  if (same !== undefined) return same
  const own = createAsker(asker.claims)
  const shown = shownSite(addresses, found.addressed, { door: found.door, asker: own })
  const { places, specifications } = found.site
  const site = { ...shown, places, specifications }
  const shape = {
    site,
    fingerprint: hashOf(`${found.fingerprint} ${site.fingerprint}`),
    isChosen: own.asked.length > 0,
    asked: own.asked,
  }
  caches.keep(shapesKind, key, [shape, ...known].slice(0, mostShapes))
  return shape
}

/** Without a schema it is known what tokens say, which the site's own key signed, and nothing that visitors say themselves. */
function claimsOf(
  { caches }: Services,
  { schema }: ReachedSite,
  { claims, unsigned, token }: Visitor,
): Claims {
  if (nameClaims({ claims, unsigned, token }) === '') return nothingKnown
  if (schema === undefined) return { ...(claims as Claims), unsigned: {} }
  let read = caches.find(schemaKind, schema.key)
  if (read === undefined) {
    read = openVisitorSchema(schema.text)
    caches.keep(schemaKind, schema.key, read)
  }
  return cutClaims(read, { signed: claims, unsigned } as GivenClaims)
}
