/** Takes the changes of the space into a change request. */
import { useState } from 'react'
import { type ChangeRequest, updateFromSpace } from '../../contract/change-requests.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { showToast } from '../ui/toast.js'

export function UpdateButton({
  change,
  name,
  variant = 'plain',
}: {
  readonly change: ChangeRequest
  readonly name: string
  readonly variant?: 'plain' | 'quiet'
}) {
  const [isBusy, setBusy] = useState(false)
  async function update() {
    setBusy(true)
    try {
      const { result } = await api.call(updateFromSpace, {
        params: { spaceId: change.space, changeRequestId: change.number },
        body: {},
      })
      await refresh('space', change.space)
      showToast(result === 'conflicts' ? text.change.updateConflicts : text.change.updated)
    } catch (error) {
      showToast((error as Error).message, { kind: 'error' })
    }
    setBusy(false)
  }
  return (
    <Button variant={variant} icon="refresh" isBusy={isBusy} onClick={() => void update()}>
      {name}
    </Button>
  )
}
