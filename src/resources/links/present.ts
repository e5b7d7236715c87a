/** Links on the wire: what they lead to, and where they stand. */
import type { Hash, PageId } from '../../core/ids.js'
import { relationOf } from '../../core/pages/link-items.js'
import { titleOfText } from '../../core/pages/read.js'
import type { Addresses, Asker } from '../../contract/addresses.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { ContentLocation, LinkReference } from '../../contract/links.js'
import type { Organization } from '../../contract/organizations.js'
import type { Page } from '../../contract/pages.js'
import type { Space } from '../../contract/spaces.js'
import type { ContentHere } from '../content/content.js'
import { presentFile, presentReusableContent } from '../content/present.js'
import type { FoundElsewhere } from './elsewhere.js'
import type { JudgedLink, Linking } from './judge.js'

/** A space with the pages that are shown of it. */
export interface Ground {
  readonly organization: Organization
  readonly space: Space
  readonly pages: ReadonlyMap<PageId, Page>
}

/** The content in which the links stand. */
export interface Standpoint extends Ground {
  readonly content: ContentHere
  readonly changeRequest: ChangeRequest | undefined
  readonly addresses: Addresses
  readonly asker: Asker
}

export interface LinkToPresent {
  readonly linking: Linking
  readonly link: JudgedLink
  readonly status: LinkReference['status']
  /** The blocks that are told. */
  readonly nodes: readonly string[]
  /** What it leads to in a space that it names; of another one than here, with what is shown of that. */
  readonly elsewhere: FoundElsewhere | undefined
  readonly ground: Ground | undefined
}

export function presentLink(shown: LinkToPresent, here: Standpoint): LinkReference {
  const { linking, link, status, nodes } = shown
  const target = presentTarget(shown, here)
  return {
    status,
    relation: relationOf(link.item),
    destination: link.item.url,
    ...(target !== undefined && { targetReference: target }),
    locationReferences: presentPlaces(linking, nodes, here),
  }
}

/** Returns where a link stands: one place for each block, else the text as a whole. */
export function presentPlaces(
  { source, id, file, text }: Linking,
  nodes: readonly string[],
  here: Standpoint,
): ContentLocation[] {
  const around = aroundOf(here)
  if (!('page' in source)) {
    const reusableContent = presentText(file, id, text as Hash, here)
    return [{ kind: 'reusable-content', ...around, reusableContent }]
  }
  const location = { kind: 'page', ...around, page: here.pages.get(source.page)! } as const
  if (nodes.length === 0) return [location]
  return nodes.map((node) => ({ ...location, internalLocation: { type: 'node', node } }))
}

/** Undefined where it leads to nothing that is known. */
function presentTarget(
  { linking, link: { item, target }, elsewhere, ground }: LinkToPresent,
  here: Standpoint,
): ContentLocation | undefined {
  if (item.isInApp) return { kind: 'url', url: item.url }
  const around = aroundOf(here)
  switch (target.kind) {
    case 'page':
      return presentPart(here.pages.get(target.page.id)!, target.fragment, around)
    case 'anchor': {
      const { source, id, file, text } = linking
      if ('page' in source) return presentPart(here.pages.get(source.page)!, target.fragment, around)
      return {
        kind: 'reusable-content',
        ...around,
        reusableContent: presentText(file, id, text as Hash, here),
      }
    }
    case 'file':
      return {
        kind: 'file',
        ...around,
        file: presentFile(here.addresses, target.file, here.content, here.asker),
      }
    case 'text': {
      const { path, entry } = target
      return {
        kind: 'reusable-content',
        ...around,
        reusableContent: presentText(path, entry.id, entry.text, here),
      }
    }
    case 'space': {
      const { isOwn, page } = elsewhere!
      const known = isOwn ? here : ground
      if (known === undefined) return undefined
      const { organization, space, pages } = known
      return page === undefined
        ? { kind: 'space', organization, space }
        : presentPart(pages.get(page.id)!, target.fragment, isOwn ? around : { organization, space })
    }
    default:
      return undefined
  }
}

type Around = Pick<Extract<ContentLocation, { kind: 'page' }>, 'organization' | 'space' | 'versionContext'>

function aroundOf({ organization, space, changeRequest }: Standpoint): Around {
  return {
    organization,
    space,
    ...(changeRequest !== undefined && { versionContext: { type: 'changeRequest', changeRequest } }),
  }
}

function presentPart(page: Page, anchor: string | undefined, around: Around): ContentLocation {
  return {
    kind: 'page',
    ...around,
    page,
    ...(anchor && { internalLocation: { type: 'anchor', anchor } }),
  }
}

/** A text that has no id is no reusable content: it is named by its path, and is no document. */
function presentText(path: string, id: string | undefined, text: Hash, { addresses, content }: Standpoint) {
  const title = titleOfText(path)
  if (id === undefined) return { id: path, title }
  return presentReusableContent({ id, title, text }, { addresses, spaceId: content.spaceId })
}
