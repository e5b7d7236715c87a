/** Routes of the site structure: sections, section groups and site spaces. */
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/site-structure.js'
import { readerOf } from '../organizations/scope.js'
import { changeLink, deleteLink } from './change-site-space.js'
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
  addToGroup,
  removeFromGroup,
} from './section-groups.js'
import { addSection, changeSection, deleteSection } from './sections.js'
import { createPresenterAfterChange, createStructurePresenter } from './structure-presenter.js'
import { getPublishable, requireAbsent, addSpaceLink } from './spaces.js'

export const siteStructureRoutes: readonly Route[] = [
  route(operations.getSiteStructure, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...context }) => {
      const sharePath = await sharePathOf(db, context.services.addresses, site.row, query.shareKey)
      const presenter = await createStructurePresenter(
        db,
        { ...context, sharePath },
        site,
        readerOf(actor, context.organization),
      )
      return presenter.structure()
    },
  }),

  route(operations.sortSiteStructure, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...context }) => {
      const { item, position } = body
      const reader = readerOf(actor, context.organization)
      const isItem = ({ id }: { readonly id: string }) => id === idOf(item)
      const changed = () => createPresenterAfterChange(tx, context, site.row, reader)
      const found = { link: site.spaces.find(({ link }) => isItem(link))?.link }
      if (item.type === 'site-space' && found.link !== undefined) {
        await moveLink(tx, site, found.link, position)
        return (await changed()).link(found.link.id)
      }
      const section = site.sections.find(isItem)
      if (item.type === 'site-section' && section !== undefined) {
        await moveSection(tx, site, section, position)
        return (await changed()).section(section.id)
      }
      const group = site.groups.find(isItem)
      // Clients name groups by either type.
      if (item.type === 'site-space' || group === undefined)
        throw new ApiError('invalid_reference', { member: 'item', thing: `a ${item.type} of the site` })
      await moveGroup(tx, site, group, position)
      return (await changed()).group(group.id)
    },
  }),

  route(operations.listSiteSections, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...context }) => {
      const reader = readerOf(actor, context.organization)
      const sharePath = await sharePathOf(db, context.services.addresses, site.row, query.shareKey)
      const presenter = await createStructurePresenter(db, { ...context, sharePath }, site, reader)
      return presenter.listSections(query)
    },
  }),

  route(operations.addSiteSection, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...context }) => {
      const reader = readerOf(actor, context.organization)
      const space = await getPublishable(tx, site.row, reader, { id: body.spaceId, member: 'spaceId' })
      const id = await addSection(tx, site, space, body)
      return (await createPresenterAfterChange(tx, context, site.row, reader)).section(id)
    },
  }),

  route(operations.updateSiteSection, {
    at: inSection,
    allow: 'administer',
    handle: async ({ tx, actor, site, section, body, ...context }) => {
      await changeSection(tx, site, section, body)
      const presenter = await createPresenterAfterChange(
        tx,
        context,
        site.row,
        readerOf(actor, context.organization),
      )
      return presenter.section(section.id)
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
    handle: async ({ tx, actor, site, section, body, ...context }) => {
      await moveSection(tx, site, section, body.position)
      const presenter = await createPresenterAfterChange(
        tx,
        context,
        site.row,
        readerOf(actor, context.organization),
      )
      return presenter.section(section.id)
    },
  }),

  route(operations.listSiteSectionGroups, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...context }) => {
      const presenter = await createStructurePresenter(
        db,
        context,
        site,
        readerOf(actor, context.organization),
      )
      return presenter.listGroups(query)
    },
  }),

  route(operations.addSiteSectionGroup, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...context }) => {
      const { id } = await addGroup(tx, site, body)
      return (
        await createPresenterAfterChange(tx, context, site.row, readerOf(actor, context.organization))
      ).group(id)
    },
  }),

  route(operations.updateSiteSectionGroup, {
    at: inSectionGroup,
    allow: 'administer',
    handle: async ({ tx, actor, site, group, body, ...context }) => {
      await changeGroup(tx, site, group, body)
      return (
        await createPresenterAfterChange(tx, context, site.row, readerOf(actor, context.organization))
      ).group(group.id)
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
    handle: async ({ tx, actor, site, group, body, ...context }) => {
      await addToGroup(tx, site, getSection(site, body.sectionId, 'sectionId'), group)
      return (
        await createPresenterAfterChange(tx, context, site.row, readerOf(actor, context.organization))
      ).group(group.id)
    },
  }),

  route(operations.removeSectionFromGroup, {
    at: atSectionOfGroup,
    allow: 'administer',
    handle: async ({ tx, site, group, section }) => {
      if (section?.group_id !== group.id) return nothingRemoved
      return removeFromGroup(tx, site, section, group)
    },
  }),

  route(operations.moveSiteSectionGroup, {
    at: inSectionGroup,
    allow: 'administer',
    handle: async ({ tx, actor, site, group, body, ...context }) => {
      await moveGroup(tx, site, group, body.position)
      return (
        await createPresenterAfterChange(tx, context, site.row, readerOf(actor, context.organization))
      ).group(group.id)
    },
  }),

  route(operations.listSiteSpaces, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, ...context }) => {
      const { default: isDefault, shareKey, ...request } = query
      const reader = readerOf(actor, context.organization)
      const sharePath = await sharePathOf(db, context.services.addresses, site.row, shareKey)
      const presenter = await createStructurePresenter(db, { ...context, sharePath }, site, reader)
      return presenter.listLinks({ ...request, isDefault })
    },
  }),

  route(operations.addSiteSpace, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, ...context }) => {
      const reader = readerOf(actor, context.organization)
      const space = await getPublishable(tx, site.row, reader, { id: body.spaceId, member: 'spaceId' })
      requireAbsent(site, space, 'spaceId')
      const { sectionId, ...wanted } = body
      const section =
        sectionId === undefined
          ? site.sections.find((row) => row.is_default === 1)
          : getSection(site, sectionId, 'sectionId')
      const link = await addSpaceLink(tx, site, space, { ...wanted, sectionId: section?.id ?? null })
      return (await createPresenterAfterChange(tx, context, site.row, reader)).link(link.id)
    },
  }),

  route(operations.updateSiteSpace, {
    at: inSiteSpace,
    allow: 'administer',
    handle: async ({ tx, actor, site, link, body, ...context }) => {
      const reader = readerOf(actor, context.organization)
      const { spaceId, ...change } = body
      const space =
        spaceId === undefined || spaceId === link.space_id
          ? undefined
          : await getPublishable(tx, site.row, reader, { id: spaceId, member: 'spaceId' })
      await changeLink(tx, site, link, { ...change, space })
      return (await createPresenterAfterChange(tx, context, site.row, reader)).link(link.id)
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
    handle: async ({ tx, actor, site, link, body, ...context }) => {
      await moveLink(tx, site, link, body.position)
      return (
        await createPresenterAfterChange(tx, context, site.row, readerOf(actor, context.organization))
      ).link(link.id)
    },
  }),
]
