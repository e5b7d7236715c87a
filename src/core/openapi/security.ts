/** Security requirements: schemes of Swagger 2.0 and OpenAPI 3, as alternatives. */
import type { SpecificationObject } from './parse.js'
import { type Specification, pointerOf } from './specification.js'
import { listOf, objectOf, resolveObject, textOf, textsOf } from './values.js'
import type { FlowView, SchemeView } from './view.js'

const [mostAlternatives, mostSchemes, mostScopes] = [20, 10, 50]

/** Returns the alternatives of `security` of an operation, or of the specification; none where it requires none. */
export function readSecurity(
  specification: Specification,
  security: unknown,
): readonly (readonly SchemeView[])[] {
  const alternatives = listOf(security).slice(0, mostAlternatives)
  return alternatives.map((one) =>
    Object.entries(objectOf(one))
      .slice(0, mostSchemes)
      .map(([name, scopes]) => readScheme(specification, name, textsOf(scopes).slice(0, mostScopes))),
  )
}

function readScheme(specification: Specification, name: string, scopes: readonly string[]): SchemeView {
  // Since 3.2, a reference may replace a name.
  const places = [
    ['components', 'securitySchemes', name],
    ['securityDefinitions', name],
  ].map((steps) => specification.at(pointerOf(steps)))
  const scheme = resolveObject(specification, places[0] ?? places[1])
  const description = textOf(scheme['description'], 4_000)
  const prefix = textOf(scheme['x-gitbook-prefix'], 100)
  const placeholder = textOf(scheme['x-gitbook-token-placeholder'], 200)
  const about = { name, scopes, flows: [] as readonly FlowView[], ...(description && { description }) }
  switch (scheme['type']) {
    case 'basic':
      return { ...about, ...header, kind: 'basic', prefix: 'Basic', placeholder: 'YOUR_CREDENTIALS' }
    case 'http': {
      const kind = String(scheme['scheme'] ?? '').toLowerCase()
      if (kind === 'basic')
        return { ...about, ...header, kind: 'basic', prefix: 'Basic', placeholder: 'YOUR_CREDENTIALS' }
      if (kind === 'bearer') return { ...about, ...header, ...bearer, kind: 'bearer' }
      return {
        ...about,
        ...header,
        kind: 'http',
        prefix: textOf(scheme['scheme'], 50) ?? '',
        placeholder: bearer.placeholder,
      }
    }
    case 'apiKey': {
      const { in: flow } = scheme
      const place = flow === 'query' || flow === 'cookie' ? flow : 'header'
      const field = textOf(scheme['name'], 200) ?? name
      return {
        ...about,
        kind: 'apiKey',
        place,
        field,
        ...(prefix && place === 'header' && { prefix }),
        placeholder: placeholder ?? 'YOUR_API_KEY',
      }
    }
    case 'openIdConnect': {
      const address = textOf(scheme['openIdConnectUrl'], 2_000)
      const flows = address === undefined ? [] : [{ kind: 'openIdConnect', authorizationUrl: address }]
      return { ...about, ...own(prefix, placeholder), kind: 'openIdConnect', flows }
    }
    case 'oauth2':
      return { ...about, ...own(prefix, placeholder), kind: 'oauth2', flows: flowsOf(scheme) }
    case 'mutualTLS':
      return { ...about, kind: 'mutualTLS', placeholder: '' }
    default:
      return { ...about, ...own(prefix, placeholder), kind: 'http' }
  }
}

const header = { place: 'header', field: 'Authorization' } as const
const bearer = { prefix: 'Bearer', placeholder: 'YOUR_SECRET_TOKEN' } as const

function own(prefix: string | undefined, placeholder: string | undefined) {
  return {
    ...header,
    prefix: prefix ?? bearer.prefix,
    placeholder: placeholder ?? bearer.placeholder,
  } as const
}

/** Swagger 2.0 has one flow, in the scheme itself. */
function flowsOf(scheme: SpecificationObject): readonly FlowView[] {
  const flow = (kind: string, one: SpecificationObject): FlowView => {
    const authorizationUrl = textOf(one['authorizationUrl'], 2_000)
    const tokenUrl = textOf(one['tokenUrl'], 2_000)
    return { kind, ...(authorizationUrl && { authorizationUrl }), ...(tokenUrl && { tokenUrl }) }
  }
  if (typeof scheme['flow'] === 'string') return [flow(scheme['flow'], scheme)]
  return Object.entries(objectOf(scheme['flows']))
    .slice(0, 10)
    .map(([kind, one]) => flow(kind, objectOf(one)))
}
