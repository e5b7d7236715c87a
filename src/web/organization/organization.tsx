/** An organization: its parts are managed through the API until their screens exist. */
import { useQuery } from '@tanstack/react-query'
import { organizationsQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import Home from '../home/home.js'
import { Header } from '../shell/frame.js'
import { ButtonLink } from '../ui/button.js'
import { EmptyState } from '../ui/display.js'
import Trash from './trash.js'

export default function Organization({
  organization,
  part,
}: {
  readonly organization: string
  readonly part: string
}) {
  const { data: organizations } = useQuery(organizationsQuery)
  const title = organizations?.find(({ id }) => id === organization)?.title
  if (part === '') return <Home />
  if (part === 'trash') return <Trash organization={organization} />
  return (
    <>
      <Header>
        <h1>{title}</h1>
      </Header>
      <EmptyState
        icon="settings"
        title={text.organization.elsewhere}
        actions={<ButtonLink href="/docs/api">{text.organization.reference}</ButtonLink>}
      />
    </>
  )
}
