/**
 * Type tests of routes: mistakes that must not compile. `npm run check` compiles this file: an expected
 * error that does not occur is itself an error. Running it proves only that the correct use beside them works.
 */
import { expect, test } from 'vitest'
import { type Route, route } from '../src/access/route/route.js'
import { type Scope, withRules, signedIn, subresourceScope } from '../src/access/route/scope.js'
import { mergeChangeRequest } from '../src/contract/change-requests.js'
import { type ContentEndpoints, changeRequestContent, spaceContent } from '../src/contract/content.js'
import { type BasePath, endpointAt, basePathOf } from '../src/contract/endpoint.js'
import { spaceEvents } from '../src/contract/events.js'
import { searchSpace } from '../src/contract/search.js'
import { getSpace } from '../src/contract/spaces.js'
import { inChangeRequest, inChangeRequestContent } from '../src/resources/change-requests/scope.js'
import { inOrganization } from '../src/resources/organizations/scope.js'
import type { ContentContext } from '../src/resources/content/content.js'
import { type SpaceContext, inSpace, inSpaceContent } from '../src/resources/spaces/scope.js'

const merged = async () => ({ revision: 'r', result: 'merge' as const })

test('the right way', () => {
  expect(route(mergeChangeRequest, { at: inChangeRequest, allow: 'merge', handle: merged }).endpoint).toBe(
    mergeChangeRequest,
  )
})

test('a path parameter that no scope loads', () => {
  // @ts-expect-error `changeRequestId` is in the path, and a space alone is loaded.
  route(mergeChangeRequest, { at: inSpace, allow: 'merge', handle: merged })
  // @ts-expect-error nothing is loaded at all.
  route(getSpace, { at: signedIn, allow: 'ask', handle: async () => ({}) as never })
})

test('a reply off the contract', () => {
  route(mergeChangeRequest, {
    at: inChangeRequest,
    allow: 'merge',
    // @ts-expect-error `done` is no result of a merge.
    handle: async () => ({ revision: 'r', result: 'done' as const }),
  })
})

test('an action that does not exist on the resource', () => {
  // @ts-expect-error a space has no action `destroy`.
  route(mergeChangeRequest, { at: inChangeRequest, allow: 'destroy', handle: merged })
})

test('a handler that does not fit the method', () => {
  const [at, allow] = [inSpace, 'view'] as const
  // @ts-expect-error a read has no transaction.
  route(spaceEvents, { at, allow, handle: async ({ tx }) => tx })
  // @ts-expect-error a read commits nothing.
  route(spaceEvents, { at, allow, handleLong: async () => ({}) })
  // @ts-expect-error the endpoint has a reply.
  route(searchSpace, { at, allow, prepare: async () => () => {} })
  const prepare = async () => async () => 1
  // @ts-expect-error the result is a number.
  route(searchSpace, { at, allow, prepare, respond: async ({ result }) => result.items })
  // @ts-expect-error a write prepares nothing.
  route(mergeChangeRequest, { at: inChangeRequest, allow: 'merge', prepare, respond: merged })
})

/** A table of one operation, to be mounted on any content, with any path parameters. */
function filesAt<Params extends string, Context extends { content: ContentContext }>(
  endpoints: ContentEndpoints<Params>,
  at: Scope<NoInfer<Params>, Context, 'view'>,
): readonly Route[] {
  const inFile = subresourceScope(at, 'fileId', {
    key: 'found',
    noun: 'file',
    find: async (_request, id, { content }) => ({ id, in: content.revision.id }),
  })
  const file = {
    name: 'a.png',
    path: 'a.png',
    contentType: 'image/png',
    downloadURL: 'https://docs.test/a.png',
    size: 1,
  }
  const handle = async () => ({ ...file, id: 'f' })
  route(endpoints.file, {
    at: inFile,
    allow: 'view',
    // @ts-expect-error the loaded resource has its own type.
    handle: async ({ found }) => ({ ...file, id: found.size }),
  })
  route(endpoints.pages, {
    at,
    allow: 'view',
    // @ts-expect-error a table, too, answers by the contract.
    handle: async () => ({ pages: [{ id: 7 }] }),
  })
  // @ts-expect-error `fileId` is in the path, but only its parent is loaded.
  route(endpoints.file, { at, allow: 'view', handle })
  // @ts-expect-error this scope does not authorize `edit`.
  route(endpoints.file, { at: inFile, allow: 'edit', handle })
  return [
    route(endpoints.file, {
      at: inFile,
      allow: 'view',
      handle: async ({ found, content }) => ({ ...file, id: `${content.spaceId} ${found.id} ${found.in}` }),
    }),
  ]
}

test('a table is mounted on paths with other parameters', () => {
  const [ofSpace] = filesAt(spaceContent, inSpaceContent)
  const [ofChangeRequest] = filesAt(changeRequestContent, inChangeRequestContent)
  expect(ofSpace!.endpoint.params).toEqual(['spaceId', 'fileId'])
  expect(ofChangeRequest!.endpoint.params).toEqual(['spaceId', 'changeRequestId', 'fileId'])
  expect(ofChangeRequest!.endpoint.path).toBe(
    '/spaces/:spaceId/change-requests/:changeRequestId/content/files/:fileId',
  )
})

test('a table on the wrong path', () => {
  // @ts-expect-error `changeRequestId` is in the paths, and a space alone is loaded.
  filesAt(changeRequestContent, inSpaceContent)
  // @ts-expect-error the paths name no change request.
  filesAt(spaceContent, inChangeRequestContent)
  // @ts-expect-error a space without its content is not what the handlers work with.
  filesAt(spaceContent, inSpace)
  const inSight: Scope<'spaceId', { space: SpaceContext; content: ContentContext }, 'see'> = {
    ...inSpaceContent,
    authorize: () => ({ verdict: 'yes', noun: 'space' }),
  }
  // @ts-expect-error this scope authorizes only `see`.
  filesAt(spaceContent, inSight)
})

/** Operations mounted on an organization and on a space, which have different actions. */
const labelEndpoints = <Params extends string>(place: BasePath<Params>, noun: string) => ({
  label: endpointAt(place, `label${noun}`, 'PUT', '/labels/:label', {
    summary: 'Set a label',
    description: 'Labels the resource.',
    tag: 'Spaces',
  }),
})

function labelsAt<Params extends string, Context extends object>(
  endpoints: ReturnType<typeof labelEndpoints<Params>>,
  at: Scope<NoInfer<Params>, Context, 'label'>,
): readonly Route[] {
  const inLabel = subresourceScope(at, 'label', {
    key: 'label',
    noun: 'label',
    find: async (_request, name) => name,
  })
  return [route(endpoints.label, { at: inLabel, allow: 'label', handle: async () => {} })]
}

test('a table is mounted on resources of other kinds, which authorize its actions', () => {
  const atOrganization = withRules(inOrganization, {
    noun: 'organization',
    authorize: (_action: 'label', { organization }) =>
      organization.role === 'admin' ? 'yes' : { needs: 'admin' },
  })
  const atSpace = withRules(inSpace, {
    noun: 'space',
    authorize: (_action: 'label', { space }) => (space.level === 'admin' ? 'yes' : { needs: 'admin' }),
  })
  const ofOrganization = labelEndpoints(basePathOf('/orgs/:organizationId'), 'Organization')
  const ofSpace = labelEndpoints(basePathOf('/spaces/:spaceId'), 'Space')
  const [one] = labelsAt(ofOrganization, atOrganization)
  const [other] = labelsAt(ofSpace, atSpace)
  expect([one!.endpoint.params, other!.endpoint.params]).toEqual([
    ['organizationId', 'label'],
    ['spaceId', 'label'],
  ])
  // @ts-expect-error the paths name a space.
  labelsAt(ofSpace, atOrganization)
  // @ts-expect-error an organization alone has no `label`.
  labelsAt(ofOrganization, inOrganization)
})
