/** Entry of the browser app: addresses to screens, each a lazy chunk. */
import { QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, StrictMode, Suspense, lazy } from 'react'
import { createRoot } from 'react-dom/client'
import { Tooltip } from '@base-ui/react/tooltip'
import './ui/tokens.css'
import './ui/base.css'
import { queryClient } from './api/queries.js'
import { text } from './i18n/text.js'
import { type Address, homePath, parseAddress } from './routes/addresses.js'
import { usePath } from './routes/navigation.js'
import { applyTheme } from './shell/theme.js'
import { Frame } from './shell/frame.js'
import { Button, ButtonLink } from './ui/button.js'
import { EmptyState, Skeleton } from './ui/display.js'
import { Toasts } from './ui/toast.js'

const Home = lazy(() => import('./home/home.js'))
const Space = lazy(() => import('./space/space.js'))
const Change = lazy(() => import('./editor/change.js'))
const Compare = lazy(() => import('./review/compare.js'))
const Revision = lazy(() => import('./space/revision.js'))
const History = lazy(() => import('./history/history.js'))
const Account = lazy(() => import('./account/account.js'))
const Inbox = lazy(() => import('./inbox/inbox.js'))
const Organization = lazy(() => import('./organization/organization.js'))
const Gallery = lazy(() => import('./ui/gallery.js'))

function Screen({ address }: { readonly address: Address }) {
  switch (address.screen) {
    case 'home':
      return <Home />
    case 'space':
      return <Space key={address.space} space={address.space} path={address.path} />
    case 'change':
      return (
        <Change
          key={`${address.space}/${address.change}`}
          space={address.space}
          change={address.change}
          tab={address.tab}
          path={address.path}
        />
      )
    case 'compare':
      return <Compare space={address.space} path={address.path} />
    case 'revision':
      return <Revision {...address} />
    case 'history':
      return <History key={`${address.space}/${address.path}`} {...address} />
    case 'account':
      return <Account />
    case 'inbox':
      return <Inbox />
    case 'organization':
      return <Organization organization={address.organization} part={address.part} />
    case 'gallery':
      return <Gallery />
    case 'unknown':
      return (
        <EmptyState
          icon="circleAlert"
          isScreen
          title={text.errors.unknownAddress}
          actions={<ButtonLink href={homePath}>{text.errors.toHome}</ButtonLink>}
        >
          {text.errors.unknownAddressText}
        </EmptyState>
      )
  }
}

function App() {
  const address = parseAddress(usePath())
  return (
    <Frame address={address}>
      <ErrorBoundary key={address.screen}>
        <Suspense fallback={<Skeleton />}>
          <Screen address={address} />
        </Suspense>
      </ErrorBoundary>
    </Frame>
  )
}

/** A screen that throws leaves the frame standing. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    return (
      <EmptyState
        icon="circleAlert"
        isScreen
        title={text.errors.crashed}
        actions={<Button onClick={() => location.reload()}>{text.errors.reload}</Button>}
      >
        {text.errors.crashedText}
      </EmptyState>
    )
  }
}

applyTheme()
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delay={400}>
        <App />
        <Toasts />
      </Tooltip.Provider>
    </QueryClientProvider>
  </StrictMode>,
)
