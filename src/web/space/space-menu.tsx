/** What can be done with a space: settings, a copy, another place, exports, the trash. The palette has the same entries. */
import { useMemo, useState } from 'react'
import { exportSpaceArchive } from '../../contract/imports.js'
import { getSpacePdf } from '../../contract/pdfs.js'
import { type Space, duplicateSpace } from '../../contract/spaces.js'
import { type Action, useActions } from '../actions/actions.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { historyPath, spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { IconButton } from '../ui/button.js'
import { Menu } from '../ui/menu.js'
import { reportFailure, showToast } from '../ui/toast.js'
import { type SpaceDialog, SpaceDialogs } from './space-dialogs.js'

export function SpaceMenu({
  space,
  pageActions,
}: {
  readonly space: Space
  /** What can be done with the page that is open. */
  readonly pageActions: readonly Action[]
}) {
  const [dialog, setDialog] = useState<SpaceDialog>()
  const groups = useMemo(() => [pageActions, ...groupsOf(space, setDialog)], [space, pageActions])
  useActions(useMemo(() => groups.flat(), [groups]))
  return (
    <>
      <Menu trigger={<IconButton icon="ellipsis" label={text.common.more} />} groups={groups} align="end" />
      {dialog !== undefined && (
        <SpaceDialogs space={space} dialog={dialog} onClose={() => setDialog(undefined)} />
      )}
    </>
  )
}

function groupsOf(space: Space, open: (dialog: SpaceDialog) => void): readonly (readonly Action[])[] {
  const params = { spaceId: space.id }
  const { published } = space.urls
  const adminOnly = space.permissions.admin ? undefined : text.space.adminOnly
  const duplicate = async () => {
    showToast(text.space.duplicating)
    const copy = await api.call(duplicateSpace, { params })
    await refresh('organization', space.organization)
    navigate(spacePath(copy.id))
  }
  const openPdf = async () => {
    const { url } = await api.call(getSpacePdf, { params, query: {} })
    window.open(url, '_blank', 'noopener')
  }
  const reading: Action[] = [
    ...(published === undefined
      ? []
      : [
          {
            id: 'space-published',
            name: text.space.openPublished,
            icon: 'externalLink',
            run: () => void window.open(published, '_blank', 'noopener'),
          } as const,
        ]),
    {
      id: 'space-history',
      name: text.history.ofSpace,
      icon: 'history',
      keys: 'G R',
      keywords: text.history.keywords,
      run: () => navigate(historyPath(space.id)),
    },
    {
      id: 'space-variables',
      name: text.contents.title,
      icon: 'braces',
      keywords: text.contents.keywords,
      run: () => open('contents'),
    },
    {
      id: 'space-export',
      name: text.space.export,
      icon: 'download',
      keywords: 'markdown',
      run: () => location.assign(`/v1${exportSpaceArchive.path.replace(':spaceId', space.id)}`),
    },
    {
      id: 'space-pdf',
      name: text.space.exportPdf,
      icon: 'fileText',
      keywords: text.space.exportPdfKeywords,
      run: () => void reportFailure(openPdf()),
    },
  ]
  return [
    reading,
    [
      {
        id: 'space-settings',
        name: text.space.settings,
        icon: 'settings',
        keywords: text.space.settingsKeywords,
        disabledReason: adminOnly,
        run: () => open('settings'),
      },
      {
        id: 'space-move',
        name: text.space.moveToCollection,
        icon: 'folder',
        disabledReason: adminOnly,
        run: () => open('move'),
      },
      {
        id: 'space-duplicate',
        name: text.space.duplicate,
        icon: 'copy',
        disabledReason: adminOnly,
        run: () => void reportFailure(duplicate()),
      },
    ],
    [
      {
        id: 'space-trash',
        name: text.space.moveToTrash,
        icon: 'trash',
        isDanger: true,
        disabledReason: adminOnly,
        run: () => open('trash'),
      },
    ] as const,
  ]
}
