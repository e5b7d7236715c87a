/** API tokens of the person: made with a name and an end, copied once, revoked. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiToken, createApiToken, listApiTokens, revokeApiToken } from '../../contract/tokens.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { formatExactTime } from '../i18n/format.js'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { copyText } from '../ui/clipboard.js'
import { Dialog } from '../ui/dialog.js'
import { ErrorNotice, RelativeTime } from '../ui/display.js'
import { SelectField, TextField } from '../ui/field.js'
import { FormDialog } from '../ui/prompts.js'
import { reportFailure, showToast } from '../ui/toast.js'

const tokensQuery = queryOptions({
  queryKey: ['user', 'tokens'],
  queryFn: async ({ signal }) => (await api.call(listApiTokens, { query: { limit: 1000 }, signal })).items,
})

const day = 24 * 60 * 60_000
const lifetimes = ['30', '90', '365', ''] as const

export function Tokens() {
  const { data: tokens = [], error, refetch } = useQuery(tokensQuery)
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const revoke = async ({ id }: ApiToken) => {
    await api.call(revokeApiToken, { params: { tokenId: id } })
    await refresh('user', 'tokens')
  }
  return (
    <section className="settings-section">
      <h2 className="settings-heading">{text.account.tokens}</h2>
      <p className="settings-row-detail">{text.account.tokensHint}</p>
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {tokens.length > 0 && (
        <ul className="settings-list">
          {tokens.map((token) => (
            <li key={token.id} className="settings-row">
              <span className="settings-row-name">
                {token.label}
                <span className="settings-row-detail">
                  {token.lastUsedAt === undefined ? (
                    text.account.neverUsed
                  ) : (
                    <>
                      {text.account.lastUsed} <RelativeTime date={token.lastUsedAt} />
                    </>
                  )}
                  {token.expiresAt !== undefined && (
                    <>
                      {' · '}
                      {text.account.ends} {formatExactTime(token.expiresAt)}
                    </>
                  )}
                </span>
              </span>
              <Button
                variant="quiet"
                aria-label={text.account.revokeNamed(token.label)}
                onClick={() => void reportFailure(revoke(token))}
              >
                {text.account.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button icon="plus" onClick={() => setCreating(true)}>
          {text.account.newToken}
        </Button>
      </div>
      {isCreating && <NewToken onClose={() => setCreating(false)} onCreate={setSecret} />}
      {secret !== undefined && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </section>
  )
}

function NewToken({
  onClose,
  onCreate,
}: {
  readonly onClose: () => void
  readonly onCreate: (secret: string) => void
}) {
  const [label, setLabel] = useState('')
  const [days, setDays] = useState<(typeof lifetimes)[number]>('90')
  async function create() {
    const expiresAt = days === '' ? undefined : new Date(Date.now() + Number(days) * day).toISOString()
    const { token } = await api.call(createApiToken, {
      body: { label: label.trim(), ...(expiresAt !== undefined && { expiresAt }) },
    })
    await refresh('user', 'tokens')
    onCreate(token)
  }
  return (
    <FormDialog
      title={text.account.newToken}
      submit={text.account.createToken}
      members={['label']}
      onClose={onClose}
      onSubmit={create}
    >
      {(errorAt) => (
        <>
          <TextField
            label={text.account.tokenLabel}
            hint={text.account.tokenLabelHint}
            value={label}
            onChange={setLabel}
            maxLength={50}
            required
            autoFocus
            error={errorAt('label')}
          />
          <SelectField
            label={text.account.ends}
            value={days}
            onChange={setDays}
            choices={lifetimes.map((value) => ({ value, name: text.account.lifetimes[value] }))}
          />
        </>
      )}
    </FormDialog>
  )
}

/** The only time that the token is displayed. */
function Secret({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const copy = async () => {
    await copyText(secret)
    showToast(text.account.copied)
  }
  return (
    <Dialog
      title={text.account.tokenCreated}
      description={text.account.tokenOnce}
      onClose={onClose}
      actions={
        <>
          <Button icon="copy" onClick={() => void reportFailure(copy())}>
            {text.account.copy}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {text.account.tokenStored}
          </Button>
        </>
      }
    >
      <code className="token-secret">{secret}</code>
    </Dialog>
  )
}
