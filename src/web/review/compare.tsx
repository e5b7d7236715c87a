/** Two contents of a space, compared: revisions or change requests that the address names. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { spaceQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { comparePath, spacePath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { Header } from '../shell/frame.js'
import { TreeToggle } from '../space/content-layout.js'
import { EmojiOrIcon, EmptyState } from '../ui/display.js'
import { Comparison } from './comparison.js'

export default function Compare({ space: spaceId, path }: { readonly space: string; readonly path: string }) {
  const query = new URLSearchParams(location.search)
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? undefined]
  const { data: space } = useQuery(spaceQuery(spaceId))
  const source = useMemo(() => ({ space: spaceId, from, to }), [spaceId, from, to])
  return (
    <>
      <Header>
        <TreeToggle />
        <Link href={spacePath(spaceId)} className="breadcrumb-space">
          <EmojiOrIcon emoji={space?.emoji} icon="book" />
          <span>{space?.title ?? ''}</span>
        </Link>
        <h1 className="comparison-heading">{text.comparison.title}</h1>
      </Header>
      {from === '' ? (
        <EmptyState icon="circleAlert" title={text.comparison.noNames} />
      ) : (
        <div className="content-with-panel">
          <Comparison source={source} path={path} pathTo={(next) => comparePath(spaceId, from, to, next)} />
        </div>
      )}
    </>
  )
}
