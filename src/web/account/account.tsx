/** The person's own account: name, appearance, language, mail, password, signed-in browsers and API tokens. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { endOwnSession, listSessions, setOwnPassword } from '../../contract/sessions.js'
import { mailFrequencies } from '../../contract/preferences.js'
import { type User, updateUser } from '../../contract/users.js'
import { ApiRequestError, api } from '../api/client.js'
import { preferencesQuery, savePreferences } from '../api/preferences.js'
import { currentUserQuery, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Header } from '../shell/frame.js'
import { Section } from '../organization/parts.js'
import { signOut } from '../shell/sign-out.js'
import { themes } from '../shell/theme.js'
import { chooseTheme, useTheme } from '../shell/use-theme.js'
import { Button } from '../ui/button.js'
import { Avatar, ErrorNotice, RelativeTime, Skeleton } from '../ui/display.js'
import { SelectField, TextField } from '../ui/field.js'
import { Segmented } from '../ui/segmented.js'
import { reportFailure, showToast } from '../ui/toast.js'
import { Tokens } from './tokens.js'
import './account.css'

const sessionsQuery = queryOptions({
  queryKey: ['user', 'sessions'],
  queryFn: async ({ signal }) => (await api.call(listSessions, { query: { limit: 100 }, signal })).items,
})

export default function Account() {
  const { data: user } = useQuery(currentUserQuery)
  return (
    <>
      <Header>
        <h1>{text.account.title}</h1>
      </Header>
      <div className="settings">
        {user === undefined ? (
          <Skeleton />
        ) : (
          <>
            <Profile user={user} />
            <Appearance />
            <MailPreferences />
            <Password />
            <Sessions />
            <Tokens />
          </>
        )}
      </div>
    </>
  )
}

function Profile({ user }: { readonly user: User }) {
  const [name, setName] = useState(user.displayName)
  const [photo, setPhoto] = useState(user.photoURL ?? '')
  const [error, setError] = useState<Error>()
  async function submit(event: FormEvent) {
    event.preventDefault()
    try {
      const body = { displayName: name.trim(), ...(photo.trim() !== '' && { photoURL: photo.trim() }) }
      await api.call(updateUser, { params: { userId: user.id }, body })
      setError(undefined)
      await refresh('user')
      showToast(text.account.saved)
    } catch (failure) {
      setError(failure as Error)
    }
  }
  const photoError =
    error instanceof ApiRequestError
      ? error.details.find(({ path }) => path.endsWith('photoURL'))?.message
      : undefined
  return (
    <form className="settings-section form" onSubmit={submit}>
      <TextField
        label={text.account.name}
        value={name}
        onChange={setName}
        maxLength={64}
        required
        hint={user.email}
        error={photoError === undefined ? error?.message : undefined}
      />
      <div className="account-photo">
        <Avatar name={name} photo={photo.trim() === '' ? undefined : photo.trim()} />
        <TextField
          label={text.account.photo}
          type="url"
          value={photo}
          onChange={setPhoto}
          maxLength={2048}
          required={user.photoURL !== undefined}
          hint={text.account.photoHint}
          error={photoError}
        />
      </div>
      <div>
        <Button type="submit">{text.common.save}</Button>
      </div>
    </form>
  )
}

function Appearance() {
  const theme = useTheme()
  const { data: preferences } = useQuery(preferencesQuery)
  return (
    <Section title={text.account.appearance}>
      <Segmented
        label={text.account.theme}
        value={theme}
        choices={themes.map((one) => ({ value: one, name: text.account.themes[one] }))}
        onChange={chooseTheme}
      />
      {preferences !== undefined && (
        <SelectField
          label={text.account.language}
          hint={text.account.languageHint}
          value={preferences.language ?? ''}
          choices={languages}
          onChange={(language) => void reportFailure(savePreferences({ language: language || null }))}
        />
      )}
    </Section>
  )
}

/** Languages that the app and mail can have; those without texts of their own are in English until they have some. */
const languages = [
  { value: '', name: text.account.languageOfBrowser },
  ...['en', 'de', 'ja', 'zh', 'ar'].map((value) => ({
    value,
    name: new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
  })),
]

function MailPreferences() {
  const { data: preferences } = useQuery(preferencesQuery)
  if (preferences === undefined) return null
  return (
    <Section title={text.account.mail}>
      <p className="settings-row-detail">{text.account.mailHint}</p>
      {mailKindNames.map((kind) => (
        <SelectField
          key={kind}
          label={text.account.mailKinds[kind]}
          value={preferences.mail[kind]}
          choices={mailFrequencies.map((value) => ({ value, name: text.account.frequencies[value] }))}
          onChange={(frequency) => void reportFailure(savePreferences({ mail: { [kind]: frequency } }))}
        />
      ))}
    </Section>
  )
}

const mailKindNames = Object.keys(text.account.mailKinds) as readonly (keyof typeof text.account.mailKinds)[]

function Password() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [error, setError] = useState<Error>()
  async function submit(event: FormEvent) {
    event.preventDefault()
    try {
      await api.call(setOwnPassword, {
        body: { password: next, ...(current !== '' && { currentPassword: current }) },
      })
      setError(undefined)
      setCurrent('')
      setNext('')
      showToast(text.account.passwordSet)
    } catch (failure) {
      setError(failure as Error)
    }
  }
  const atField = (member: string) =>
    error instanceof ApiRequestError
      ? error.details.find(({ path }) => path.endsWith(member))?.message
      : undefined
  return (
    <Section title={text.account.password}>
      <form className="form" onSubmit={submit}>
        <TextField
          label={text.account.currentPassword}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={atField('currentPassword')}
        />
        <TextField
          label={text.account.newPassword}
          type="password"
          autoComplete="new-password"
          hint={text.account.passwordHint}
          value={next}
          onChange={setNext}
          required
          error={atField('/password')}
        />
        {error !== undefined && <ErrorNotice error={error} />}
        <div>
          <Button type="submit">{text.account.setPassword}</Button>
        </div>
      </form>
    </Section>
  )
}

function Sessions() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const end = async (sessionId: string) => {
    await api.call(endOwnSession, { params: { sessionId } })
    await refresh('user', 'sessions')
  }
  const endOthers = async () => {
    for (const session of sessions ?? []) if (!session.current) await end(session.id)
  }
  const endAll = async () => {
    await endOthers()
    await signOut()
  }
  return (
    <Section title={text.account.sessions}>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      <ul className="settings-list">
        {sessions?.map((session) => (
          <li key={session.id} className="settings-row">
            <span className="settings-row-name">
              {browserOf(session.userAgent)}
              <span className="settings-row-detail">
                {session.ip} · <RelativeTime date={session.lastSeenAt ?? session.createdAt} />
              </span>
            </span>
            {session.current ? (
              <span className="settings-row-detail">{text.account.thisBrowser}</span>
            ) : (
              <Button variant="quiet" onClick={() => void reportFailure(end(session.id))}>
                {text.account.endSession}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="settings-actions">
        {sessions !== undefined && sessions.length > 1 && (
          <Button onClick={() => void reportFailure(endOthers())}>{text.account.endOthers}</Button>
        )}
        <Button variant="danger" onClick={() => void reportFailure(endAll())}>
          {text.account.endAll}
        </Button>
      </div>
    </Section>
  )
}

/** Returns the browser and the system that a user agent names. */
function browserOf(userAgent: string | undefined | null): string {
  if (userAgent === undefined || userAgent === null) return '—'
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(userAgent)
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(userAgent)
  const name = browser === null ? undefined : browser[1]!.replace('Edg', 'Edge').replace('OPR', 'Opera')
  return [name, system?.[0]].filter((part) => part !== undefined).join(' · ') || userAgent.slice(0, 60)
}
