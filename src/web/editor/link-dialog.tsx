/** The destination of a link: an address, or the path of a page of the space. */
import { type FormEvent, useId, useState } from 'react'
import { setLink } from '../document/commands/text-commands.js'
import type { DocumentHandle } from '../document/mount.js'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { TextField } from '../ui/field.js'

export function LinkDialog({
  handle,
  onClose,
}: {
  readonly handle: DocumentHandle
  readonly onClose: () => void
}) {
  const [current] = useState(() => linkOf(handle))
  const [address, setAddress] = useState(current ?? '')
  const formId = useId()
  const apply = (url: string | undefined) => {
    onClose()
    handle.run(setLink(url))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (address.trim() !== '') apply(address.trim())
  }
  return (
    <Dialog
      title={text.editor.linkTitle}
      onClose={onClose}
      actions={
        <>
          {current !== undefined && (
            <Button variant="danger" onClick={() => apply(undefined)}>
              {text.editor.removeLink}
            </Button>
          )}
          <Button variant="primary" type="submit" form={formId}>
            {text.editor.setLink}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit}>
        <TextField label={text.editor.linkAddress} value={address} onChange={setAddress} required autoFocus />
      </form>
    </Dialog>
  )
}

/** Returns the destination of the link in the selection. */
function linkOf({ view }: DocumentHandle): string | undefined {
  const { $from, from, to } = view.state.selection
  const marks = [...$from.marks(), ...($from.nodeAfter?.marks ?? [])]
  let found = marks.find(({ type }) => type.name === 'link')
  view.state.doc.nodesBetween(from, to, (node) => {
    found ??= node.marks.find(({ type }) => type.name === 'link')
  })
  const { url, href } = (found?.attrs ?? {}) as { readonly url?: string; readonly href?: string }
  return url ?? href
}
