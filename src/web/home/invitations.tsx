/** Invitations of the person that are not answered yet, each with a button that accepts it. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { joinByDomain, listInvitations } from '../../contract/invites.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { organizationPath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { Button } from '../ui/button.js'
import { Notice } from '../ui/display.js'
import { reportFailure } from '../ui/toast.js'

export const invitationsQuery = queryOptions({
  queryKey: ['user', 'invitations'],
  queryFn: async ({ signal }) => (await api.call(listInvitations, { query: { limit: 100 }, signal })).items,
})

export function Invitations() {
  const { data: invitations = [] } = useQuery(invitationsQuery)
  const [accepting, setAccepting] = useState<string>()
  async function accept(organizationId: string) {
    setAccepting(organizationId)
    await reportFailure(
      api.call(joinByDomain, { params: { organizationId } }).then(async () => {
        await Promise.all([refresh('user'), refresh('organizations')])
        navigate(organizationPath(organizationId))
      }),
    )
    setAccepting(undefined)
  }
  return invitations.map(({ organization }) => (
    <div key={organization.id} className="home-section">
      <Notice tone="accent" icon="users">
        {text.home.invited(organization.title)}{' '}
        <Button isBusy={accepting === organization.id} onClick={() => void accept(organization.id)}>
          {text.home.accept}
        </Button>
      </Notice>
    </div>
  ))
}
