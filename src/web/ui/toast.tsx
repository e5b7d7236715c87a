/** Toasts: short messages about what has just happened, announced to screen readers, with one action at most. */
import { Toast } from '@base-ui/react/toast'
import { text } from '../i18n/text.js'
import { IconButton } from './button.js'
import './toast.css'

const manager = Toast.createToastManager()

/** What can be done about it, such as to undo it. */
export interface ToastAction {
  readonly name: string
  readonly run: () => void
}

export function showToast(
  title: string,
  {
    description,
    kind = 'info',
    action,
  }: {
    readonly description?: string
    readonly kind?: 'info' | 'error'
    readonly action?: ToastAction
  } = {},
): void {
  const id = manager.add({
    title,
    ...(description !== undefined && { description }),
    type: kind,
    ...(action !== undefined && {
      actionProps: {
        children: action.name,
        onClick() {
          manager.close(id)
          action.run()
        },
      },
    }),
    // Errors stay until they are closed; what can be done takes longer to read.
    timeout: kind === 'error' ? 0 : action === undefined ? 5000 : 10_000,
    priority: kind === 'error' ? 'high' : 'low',
  })
}

/** Shows why work of a button or menu has failed. */
export async function reportFailure(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    showToast((error as Error).message, { kind: 'error' })
  }
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={`toast toast-${toast.type ?? 'info'}`}>
      <Toast.Content className="toast-content">
        <Toast.Title className="toast-title" />
        <Toast.Description className="toast-description" />
      </Toast.Content>
      {toast.actionProps !== undefined && <Toast.Action className="button button-quiet toast-action" />}
      <Toast.Close render={<IconButton icon="x" label={text.common.close} />} />
    </Toast.Root>
  ))
}
