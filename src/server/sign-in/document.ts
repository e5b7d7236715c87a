/** HTML document of the sign-in pages: one narrow column in the look of the app, without scripts. */
import { type Html, attributes, html } from '../../site/html.js'
import { signInStylesheet } from '../sites/assets.js'

/** Returns a page; absent parts print nothing. */
export async function signInDocument(title: string, parts: readonly (Html | false)[]): Promise<string> {
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${title} | Octavo</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet"${attributes({ href: await signInStylesheet() })}>
</head>
<body class="sign-in">
<header><a class="sign-in-brand" href="/"><img src="/favicon.ico" width="24" height="24" alt="">Octavo</a></header>
<main>
<h1>${title}</h1>
${parts}
</main>
<footer class="sign-in-foot"><a href="/">What is published on this server</a></footer>
</body>
</html>
`
  return markup.toString()
}

export type FieldName = 'email' | 'password' | 'current' | 'organization'

/** An error of a form, at the field that it is about, else above the form. */
export interface FormError {
  readonly message: string
  readonly field?: FieldName | undefined
}

/** The outcome of the last step, above the form: an error that no field is the cause of, or a confirmation. */
export function renderOutcome(error: FormError | undefined, note?: string): Html | false {
  if (error !== undefined && error.field === undefined)
    return html`<p class="notice notice-red" role="alert">${error.message}</p>`
  return note !== undefined && html`<p class="notice notice-green" role="status">${note}</p>`
}

interface Field {
  readonly name: FieldName
  readonly label: string
  readonly input: Readonly<Record<string, string | number | boolean | undefined>>
  readonly error?: FormError | undefined
  readonly hint?: string
  /** Beside the label. */
  readonly aside?: Html | false
}

/** Returns a labelled input with its hint and its error, which are announced with it. */
export function renderField({ name, label, input, error, hint, aside = false }: Field): Html {
  const isWrong = error?.field === name
  const described = [...(hint === undefined ? [] : ['hint']), ...(isWrong ? ['error'] : [])]
  const ids = described.map((part) => `${name}-${part}`).join(' ')
  return html`<div class="field">
    <div class="sign-in-label"><label class="field-label" for="${name}">${label}</label>${aside}</div>
    <input${attributes({
      class: 'input',
      id: name,
      name,
      ...input,
      'aria-describedby': ids === '' ? undefined : ids,
      'aria-invalid': isWrong ? 'true' : undefined,
      'data-invalid': isWrong ? '' : undefined,
      autofocus: isWrong || input['autofocus'] === true,
    })}>
    ${hint !== undefined && html`<p class="field-hint" id="${name}-hint">${hint}</p>`}
    ${isWrong && html`<p class="field-error" id="${name}-error" role="alert">${error.message}</p>`}
  </div>`
}
