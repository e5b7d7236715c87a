/** The structure of a site: its sections, their groups, and the spaces that it shows. */
import { nothingRemoved } from '../../access/route/removal.js'
import { type Route, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/site-structure.js'
import { readerOf } from '../organizations/scope.js'
import { changeLink, deleteLink } from './change-space.js'
import { sharePathOf } from './audience.js'
import { idOf, moveGroup, moveLink, moveSection } from './move.js'
import {
  inSection,
  atSection,
  atSectionGroup,
  atSectionOfGroup,
  atSiteSpace,
  inSectionGroup,
  inSite,
  inSiteSpace,
} from './scope.js'
import {
  addGroup,
  changeGroup,
  deleteGroup,
  getSection,
  putIntoGroup,
  takeOutOfGroup,
} from './section-groups.js'
import { addSection, changeSection, deleteSection } from './sections.js'
import { showChanged, showParts } from './show-structure.js'
import { getPublishable, requireAbsent, showSpace } from './spaces.js'
import { listVisibleSiteSpaces } from './store.js'
import { pageOfGroups, pageOfSections } from './structure-store.js'

const idsOf = <Id>(rows: readonly { readonly id: Id }[]) => rows.map(({ id }) => id)

export const siteStructureRoutes: readonly Route[] = [
  route(operations.getSiteStructure, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...place }) => {
      const sharePath = await sharePathOf(db, place.services.addresses, site.row, query.shareKey)
      const parts = await showParts(db, { ...place, sharePath }, site, readerOf(actor, place.organization))
      return parts.structure()
    },
  }),

  route(operations.sortSiteStructure, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...place }) => {
      const { item, position } = body
      const reader = readerOf(actor, place.organization)
      const isMeant = ({ id }: { readonly id: string }) => id === idOf(item)
      const changed = () => showChanged(tx, place, site.row, reader)
      const found = { link: site.spaces.find(({ link }) => isMeant(link))?.link }
      if (item.type === 'site-space' && found.link !== undefined) {
        await moveLink(tx, site, found.link, position)
        return (await changed()).link(found.link.id)
      }
      const section = site.sections.find(isMeant)
      if (item.type === 'site-section' && section !== undefined) {
        await moveSection(tx, site, section, position)
        return (await changed()).section(section.id)
      }
      const group = site.groups.find(isMeant)
      // Clients call groups by either word.
      if (item.type === 'site-space' || group === undefined)
        throw new ApiError('invalid_reference', { member: 'item', thing: `a ${item.type} of the site` })
      await moveGroup(tx, site, group, position)
      return (await changed()).group(group.id)
    },
  }),

  route(operations.listSiteSections, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...place }) => {
      const reader = readerOf(actor, place.organization)
      const list = await pageOfSections(db, site.row, reader, query)
      const sharePath = await sharePathOf(db, place.services.addresses, site.row, query.shareKey)
      const parts = await showParts(db, { ...place, sharePath }, site, reader)
      return { ...list, items: await parts.sections(idsOf(list.items)) }
    },
  }),

  route(operations.addSiteSection, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...place }) => {
      const reader = readerOf(actor, place.organization)
      const space = await getPublishable(tx, site.row, reader, { id: body.spaceId, member: 'spaceId' })
      const id = await addSection(tx, site, space, body)
      return (await showChanged(tx, place, site.row, reader)).section(id)
    },
  }),

  route(operations.updateSiteSection, {
    at: inSection,
    allow: 'administer',
    handle: async ({ tx, actor, site, section, body, ...place }) => {
      await changeSection(tx, site, section, body)
      const parts = await showChanged(tx, place, site.row, readerOf(actor, place.organization))
      return parts.section(section.id)
    },
  }),

  route(operations.deleteSiteSection, {
    at: atSection,
    allow: 'administer',
    handle: async ({ tx, site, section }) => {
      if (section === undefined) return nothingRemoved
      return deleteSection(tx, site, section)
    },
  }),

  route(operations.moveSiteSection, {
    at: inSection,
    allow: 'administer',
    handle: async ({ tx, actor, site, section, body, ...place }) => {
      await moveSection(tx, site, section, body.position)
      const parts = await showChanged(tx, place, site.row, readerOf(actor, place.organization))
      return parts.section(section.id)
    },
  }),

  route(operations.listSiteSectionGroups, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...place }) => {
      const list = await pageOfGroups(db, site.row, query)
      const parts = await showParts(db, place, site, readerOf(actor, place.organization))
      return { ...list, items: await parts.groups(idsOf(list.items)) }
    },
  }),

  route(operations.addSiteSectionGroup, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...place }) => {
      const { id } = await addGroup(tx, site, body)
      return (await showChanged(tx, place, site.row, readerOf(actor, place.organization))).group(id)
    },
  }),

  route(operations.updateSiteSectionGroup, {
    at: inSectionGroup,
    allow: 'administer',
    handle: async ({ tx, actor, site, group, body, ...place }) => {
      await changeGroup(tx, site, group, body)
      return (await showChanged(tx, place, site.row, readerOf(actor, place.organization))).group(group.id)
    },
  }),

  route(operations.deleteSiteSectionGroup, {
    at: atSectionGroup,
    allow: 'administer',
    handle: async ({ tx, site, group }) => {
      if (group === undefined) return nothingRemoved
      return deleteGroup(tx, site, group)
    },
  }),

  route(operations.addSectionToGroup, {
    at: inSectionGroup,
    allow: 'administer',
    handle: async ({ tx, actor, site, group, body, ...place }) => {
      await putIntoGroup(tx, site, getSection(site, body.sectionId, 'sectionId'), group)
      return (await showChanged(tx, place, site.row, readerOf(actor, place.organization))).group(group.id)
    },
  }),

  route(operations.removeSectionFromGroup, {
    at: atSectionOfGroup,
    allow: 'administer',
    handle: async ({ tx, site, group, section }) => {
      if (section?.group_id !== group.id) return nothingRemoved
      return takeOutOfGroup(tx, site, section, group)
    },
  }),

  route(operations.moveSiteSectionGroup, {
    at: inSectionGroup,
    allow: 'administer',
    handle: async ({ tx, actor, site, group, body, ...place }) => {
      await moveGroup(tx, site, group, body.position)
      return (await showChanged(tx, place, site.row, readerOf(actor, place.organization))).group(group.id)
    },
  }),

  route(operations.listSiteSpaces, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...place }) => {
      const { page, limit, default: isDefault, shareKey } = query
      const reader = readerOf(actor, place.organization)
      const list = await listVisibleSiteSpaces(db, site.row, reader, { page, limit, isDefault })
      const sharePath = await sharePathOf(db, place.services.addresses, site.row, shareKey)
      const parts = await showParts(db, { ...place, sharePath }, site, reader)
      return { ...list, items: await parts.links(idsOf(list.items)) }
    },
  }),

  route(operations.addSiteSpace, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...place }) => {
      const reader = readerOf(actor, place.organization)
      const space = await getPublishable(tx, site.row, reader, { id: body.spaceId, member: 'spaceId' })
      requireAbsent(site, space, 'spaceId')
      const { sectionId, ...wanted } = body
      const section =
        sectionId === undefined
          ? site.sections.find((row) => row.is_default === 1)
          : getSection(site, sectionId, 'sectionId')
      const link = await showSpace(tx, site, space, { ...wanted, sectionId: section?.id ?? null })
      return (await showChanged(tx, place, site.row, reader)).link(link.id)
    },
  }),

  route(operations.updateSiteSpace, {
    at: inSiteSpace,
    allow: 'administer',
    handle: async ({ tx, actor, site, link, body, ...place }) => {
      const reader = readerOf(actor, place.organization)
      const { spaceId, ...change } = body
      const space =
        spaceId === undefined || spaceId === link.space_id
          ? undefined
          : await getPublishable(tx, site.row, reader, { id: spaceId, member: 'spaceId' })
      await changeLink(tx, site, link, { ...change, space })
      return (await showChanged(tx, place, site.row, reader)).link(link.id)
    },
  }),

  route(operations.deleteSiteSpace, {
    at: atSiteSpace,
    allow: 'administer',
    handle: async ({ tx, site, link }) => {
      if (link === undefined) return nothingRemoved
      return deleteLink(tx, site, link)
    },
  }),

  route(operations.moveSiteSpace, {
    at: inSiteSpace,
    allow: 'administer',
    handle: async ({ tx, actor, site, link, body, ...place }) => {
      await moveLink(tx, site, link, body.position)
      return (await showChanged(tx, place, site.row, readerOf(actor, place.organization))).link(link.id)
    },
  }),
]
