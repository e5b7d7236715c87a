/** The organization that the frame shows: that of the address, else the one used last, else the only one. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { organizationsQuery, spaceQuery } from '../api/queries.js'
import type { Address } from '../routes/addresses.js'

const storageKey = 'octavo-organization'

export function useCurrentOrganization(address: Address) {
  const { data: organizations } = useQuery(organizationsQuery)
  const spaceId = 'space' in address ? address.space : undefined
  const { data: space } = useQuery({ ...spaceQuery(spaceId ?? ''), enabled: spaceId !== undefined })
  const named = address.screen === 'organization' ? address.organization : space?.organization
  const find = (id: string | undefined | null) => organizations?.find((one) => one.id === id)
  const organization =
    find(named) ??
    find(localStorage.getItem(storageKey)) ??
    (organizations?.length === 1 ? organizations[0] : undefined)
  useEffect(() => {
    if (organization !== undefined) localStorage.setItem(storageKey, organization.id)
  }, [organization])
  return { organizations, organization }
}
