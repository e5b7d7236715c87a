/** Frame of the app: the side bar, the screen, the palette and the sheet of keys. On narrow screens the bar is a sheet. */
import { useQuery } from '@tanstack/react-query'
import {
  type ReactNode,
  Suspense,
  createContext,
  lazy,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { type Action, startShortcuts, useActions } from '../actions/actions.js'
import { startKeyQueue } from '../actions/key-queue.js'
import { useLiveUpdates } from '../api/events.js'
import { currentUserQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { type Address, homePath, inboxPath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { IconButton } from '../ui/button.js'
import { useCurrentOrganization } from './current-organization.js'
import { NewVersion } from './new-version.js'
import { SideBar } from './side-bar.js'
import { useTheme } from './use-theme.js'
import './frame.css'

const loadPalette = () => import('../actions/palette.js')
const Palette = lazy(loadPalette)
const KeySheet = lazy(() => import('../actions/key-sheet.js'))
const NewSpace = lazy(() => import('../home/new-space.js'))
const ImportDialog = lazy(() => import('../imports/import-dialog.js'))

export type FrameDialog = 'palette' | 'keys' | 'newSpace' | 'template' | 'import'

interface FrameContext {
  readonly organization: ReturnType<typeof useCurrentOrganization>['organization']
  readonly openDialog: (dialog: FrameDialog) => void
  readonly isBarOpen: boolean
  readonly setBarOpen: (isOpen: boolean) => void
}

const Context = createContext<FrameContext | undefined>(undefined)

export function useFrame(): FrameContext {
  const context = use(Context)
  if (context === undefined) throw new Error('useFrame outside of the frame')
  return context
}

const wide = window.matchMedia('(min-width: 56rem)')

export function Frame({ address, children }: { readonly address: Address; readonly children: ReactNode }) {
  const { organizations, organization } = useCurrentOrganization(address)
  const { data: user } = useQuery(currentUserQuery)
  const [dialog, setDialog] = useState<FrameDialog>()
  const [isBarOpen, setBarOpen] = useState(wide.matches)
  useLiveUpdates(organization?.id)
  useTheme()
  const canCreate = organization?.permissions.createContent === true
  const space = address.screen === 'space' || address.screen === 'change' ? address.space : undefined

  useEffect(startShortcuts, [])
  // It is there when its keys are pressed; those that follow at once wait for it.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), 1000)
    return () => clearTimeout(timer)
  }, [])
  const isSearching = dialog === 'palette'
  useLayoutEffect(() => (isSearching ? startKeyQueue(() => setDialog(undefined)) : undefined), [isSearching])
  // A window that becomes narrow must not be covered by the bar that stood beside its content.
  useEffect(() => {
    const follow = () => setBarOpen(wide.matches)
    wide.addEventListener('change', follow)
    return () => wide.removeEventListener('change', follow)
  }, [])
  // The sheet on a phone closes when it has led somewhere.
  const at = JSON.stringify(address)
  useEffect(() => {
    if (!wide.matches) setBarOpen(false)
  }, [at])

  useActions(
    useMemo((): readonly Action[] => {
      const shared: Action[] = [
        {
          id: 'palette',
          name: text.shell.search,
          icon: 'search',
          keys: 'Mod+K',
          run: () => setDialog('palette'),
        },
        { id: 'search', name: text.shell.search, icon: 'search', keys: '/', run: () => setDialog('palette') },
        { id: 'home', name: text.shell.home, icon: 'house', keys: 'G H', run: () => navigate(homePath) },
        {
          id: 'inbox',
          name: text.inbox.title,
          icon: 'inbox',
          keys: 'G I',
          run: () => navigate(inboxPath),
        },
        { id: 'account', name: text.shell.account, icon: 'user', run: () => navigate('/account') },
        { id: 'keys', name: text.shell.keys, icon: 'keyboard', keys: '?', run: () => setDialog('keys') },
        {
          id: 'bar',
          name: text.shell.toggleBar,
          icon: 'panelLeft',
          keys: '[',
          run: () => setBarOpen((isOpen) => !isOpen),
        },
      ]
      const importAction: Action = {
        id: 'import',
        name: text.imports.title,
        icon: 'upload',
        run: () => setDialog('import'),
      }
      return canCreate
        ? [
            ...shared,
            { id: 'new-space', name: text.newSpace.title, icon: 'plus', run: () => setDialog('newSpace') },
            {
              id: 'template',
              name: text.shell.newFromTemplate,
              icon: 'fileStack',
              run: () => setDialog('template'),
            },
            importAction,
          ]
        : space === undefined
          ? shared
          : [...shared, importAction]
    }, [canCreate, space]),
  )

  const context = useMemo(
    () => ({ organization, openDialog: setDialog, isBarOpen, setBarOpen }),
    [organization, isBarOpen],
  )
  const close = () => setDialog(undefined)
  return (
    <Context value={context}>
      <div className={`frame ${isBarOpen ? 'has-bar' : ''}`}>
        <a className="skip-link" href="#content">
          {text.shell.skipToContent}
        </a>
        <SideBar
          address={address}
          user={user}
          organizations={organizations ?? []}
          organization={organization}
          isOpen={isBarOpen}
        />
        {isBarOpen && <div className="bar-backdrop" onClick={() => setBarOpen(false)} />}
        <main className="content" id="content" tabIndex={-1}>
          {/* While writing, the line that says "Saved" offers it. */}
          {address.screen !== 'change' && <NewVersion />}
          {children}
        </main>
        <Suspense>
          {dialog === 'palette' && <Palette organization={organization?.id} onClose={close} />}
          {dialog === 'keys' && <KeySheet onClose={close} />}
          {(dialog === 'newSpace' || dialog === 'template') && organization !== undefined && (
            <NewSpace
              organization={organization.id}
              start={dialog === 'template' ? 'product' : 'empty'}
              onImport={() => setDialog('import')}
              onClose={close}
            />
          )}
          {dialog === 'import' && organization !== undefined && (
            <ImportDialog
              organization={organization.id}
              canCreate={canCreate}
              space={space}
              onClose={close}
            />
          )}
        </Suspense>
      </div>
    </Context>
  )
}

/** Header line of a screen: the button of the bar, then what the screen puts there. */
export function Header({ children }: { readonly children: ReactNode }) {
  const { isBarOpen, setBarOpen } = useFrame()
  return (
    <header className="header">
      {!isBarOpen && (
        <IconButton icon="panelLeft" label={text.shell.openBar} keys="[" onClick={() => setBarOpen(true)} />
      )}
      {children}
    </header>
  )
}
