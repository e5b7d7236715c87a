/**
 * What opens over the rich text: menus, forms, the link picker, find and replace. The document is no part of React; this is
 * a tree of its own beside it, drawn anew with each change of what is open.
 */
import { Tooltip } from '@base-ui/react/tooltip'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, lazy, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { type Action, useActions } from '../actions/actions.js'
import { queryClient } from '../api/queries.js'
import { type OpenForm, openForm } from '../document/form.js'
import type { DocumentHandle } from '../document/mount.js'
import { documentText as text } from '../i18n/document-text.js'
import type { PopoverAnchor } from '../ui/popover.js'
import { showToast } from '../ui/toast.js'
import type { EditedPage } from './choices.js'
import { copyBlockLink } from './copy-link.js'

const loadMenus = () => import('./block-menu.js')
const loadForm = () => import('./construct-form.js')
const loadLinkDialog = () => import('./link-dialog.js')
const loadFindBar = () => import('./find-bar.js')
const BlockMenu = lazy(async () => ({ default: (await loadMenus()).BlockMenu }))
const TableMenu = lazy(async () => ({ default: (await loadMenus()).TableMenu }))
const ConstructForm = lazy(async () => ({ default: (await loadForm()).ConstructForm }))
const LinkDialog = lazy(async () => ({ default: (await loadLinkDialog()).LinkDialog }))
const FindBar = lazy(async () => ({ default: (await loadFindBar()).FindBar }))

/** Loads all of them once the text is there, so that they open at once, and without a connection. */
function preloadPopups(): void {
  for (const load of [loadMenus, loadForm, loadLinkDialog, loadFindBar]) load().catch(() => {})
}
/** Milliseconds after the text was opened. */
const preloadDelay = 500

interface Open {
  readonly menu?: { readonly kind: 'block' | 'table'; readonly anchor: Element }
  readonly form?: { readonly form: OpenForm; readonly anchor: PopoverAnchor }
  readonly link?: PopoverAnchor
  readonly find?: { readonly withReplace: boolean; readonly opening: number }
}

export interface EditorPopups {
  openMenu(kind: 'block' | 'table', anchor: Element): void
  /** Displays the form that is open in the document, or none. */
  showForm(form: OpenForm | undefined, anchor: Element | undefined): void
  openLink(): void
  openFind(withReplace: boolean): void
  destroy(): void
}

export function createEditorPopups(handle: () => DocumentHandle, edited: EditedPage): EditorPopups {
  const parent = document.createElement('div')
  document.body.append(parent)
  const root = createRoot(parent)
  let open: Open = {}
  let openings = 0
  const set = (changed: { readonly [Name in keyof Open]: Open[Name] | undefined }) => {
    open = Object.fromEntries(
      Object.entries({ ...open, ...changed }).filter(([, value]) => value !== undefined),
    )
    root.render(<Popups {...open} handle={handle()} edited={edited} popups={popups} close={set} />)
  }
  const popups: EditorPopups = {
    openMenu: (kind, anchor) => set({ menu: { kind, anchor } }),
    showForm(form, anchor) {
      // It stays where it is while the block changes; an inline is drawn anew.
      const button = anchor?.querySelector(':scope > .block-settings, :scope > * > .block-settings')
      const before = open.form?.anchor
      const isThere = before !== undefined && (!(before instanceof Element) || before.isConnected)
      const place = isThere ? before : (button ?? anchor)
      set({ form: form && place && { form, anchor: place } })
    },
    openLink: () => set({ link: selectionAnchor(handle()) }),
    openFind: (withReplace) => set({ find: { withReplace, opening: ++openings } }),
    destroy() {
      // React does not end a tree while it draws another one.
      setTimeout(() => {
        root.unmount()
        parent.remove()
      })
    },
  }
  set({})
  setTimeout(preloadPopups, preloadDelay)
  return popups
}

/** The place of the selected text. */
function selectionAnchor({ view }: DocumentHandle): PopoverAnchor {
  const { from } = view.state.selection
  return {
    getBoundingClientRect() {
      const { left, top, bottom } = view.coordsAtPos(Math.min(from, view.state.doc.content.size))
      return new DOMRect(left, top, 1, bottom - top)
    },
  }
}

function Popups({
  menu,
  form,
  link,
  find,
  handle,
  edited,
  popups,
  close,
}: Open & {
  readonly handle: DocumentHandle
  readonly edited: EditedPage
  readonly popups: EditorPopups
  readonly close: (changed: { readonly [Name in keyof Open]: undefined }) => void
}) {
  useActions(
    useMemo((): Action[] => {
      const { view } = handle
      const anchorOf = () => view.dom.querySelector('.has-cursor') ?? view.dom
      return [
        {
          id: 'block-menu',
          name: text.blockMenu,
          icon: 'gripVertical',
          keys: 'Alt+Enter',
          run: () => handle.openBlockMenu() || popups.openMenu('block', anchorOf()),
        },
        { id: 'link', name: text.link.title, icon: 'link', run: popups.openLink },
        {
          id: 'find',
          name: text.find.title,
          icon: 'search',
          keys: 'Mod+F',
          run: () => popups.openFind(false),
        },
        {
          id: 'replace',
          name: text.find.replaceInPage,
          icon: 'search',
          keys: 'Mod+H',
          run: () => popups.openFind(true),
        },
      ]
    }, [handle, popups]),
  )
  const copyLink = () =>
    void copyBlockLink(handle, edited)
      .then((isCopied) => showToast(isCopied ? text.menu.linkCopied : text.menu.noLink))
      .catch((error: Error) => showToast(error.message, { kind: 'error' }))
  return (
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delay={400}>
        <Suspense>
          {menu?.kind === 'block' && (
            <BlockMenu
              handle={handle}
              anchor={menu.anchor}
              onCopyLink={copyLink}
              onClose={() => close({ menu: undefined })}
            />
          )}
          {menu?.kind === 'table' && (
            <TableMenu handle={handle} anchor={menu.anchor} onClose={() => close({ menu: undefined })} />
          )}
          {form !== undefined && (
            <ConstructForm
              key={form.form.position}
              form={form.form}
              anchor={form.anchor}
              handle={handle}
              edited={edited}
              onClose={() => {
                const { view } = handle
                if (view.isDestroyed) return
                openForm(undefined)(view.state, view.dispatch)
                view.focus()
              }}
            />
          )}
          {link !== undefined && (
            <LinkDialog
              handle={handle}
              edited={edited}
              anchor={link}
              onClose={() => {
                close({ link: undefined })
                handle.focus()
              }}
            />
          )}
          {find !== undefined && (
            <FindBar
              key={find.opening}
              handle={handle}
              withReplace={find.withReplace}
              onClose={() => close({ find: undefined })}
            />
          )}
        </Suspense>
      </Tooltip.Provider>
    </QueryClientProvider>
  )
}
