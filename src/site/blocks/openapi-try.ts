/**
 * "Try it" panel: sends the request from the reader's browser. The form is hidden until the script of these pages runs.
 * Its fields have no name, so that the browser never submits them.
 */
import { requestOf } from '../../core/openapi/request.js'
import { triedServers } from '../../core/openapi/try-it-servers.js'
import type { OperationView, ParameterView, SchemeView } from '../../core/openapi/view.js'
import { attributes, html, type Html, nothing } from '../html.js'
import type { PageRenderer } from './context.js'
import { icon } from './icons.js'

/** The panel; nothing if there is no server to call, or the author disabled it. */
export function renderTry(operation: OperationView, page: PageRenderer): Html {
  const servers = triedServers(operation)
  if (servers.length === 0) return nothing
  const { words } = page
  const { method, path, parameters, security } = operation
  const { body } = requestOf(operation)
  const [schemes = []] = security
  page.spend('steps', 10 * (parameters.length + servers.length))
  return html`<details class="try">
    <summary>${icon('play')}${words.tryIt}</summary>
    <form data-try data-method="${method.toUpperCase()}"${attributes({ 'data-path': path })}>
      <label>${words.server}<select data-server>${servers.map((url) => html`<option>${url}</option>`)}</select></label>
      ${schemes.filter(({ place }) => place === 'header' || place === 'query').map(renderSecret)}${parameters
        .filter(({ place }) => place !== 'cookie')
        .map(renderField)}${
        body !== undefined &&
        html`<label>${words.body} <span class="type">${body.mediaType}</span><textarea data-body="${body.mediaType}" rows="8" spellcheck="false">${body.text}</textarea></label>`
      }
      <p class="facts">${words.secretsStay}</p>
      <button type="submit" class="button primary">${words.send}</button>
      <div class="answer" role="status" aria-label="${words.answer}"></div>
    </form>
  </details>`
}

function renderSecret({ name, kind, place, field, prefix, placeholder }: SchemeView): Html {
  return html`<label><code>${name}</code><input type="password" autocomplete="off"${attributes({
    'data-place': place,
    'data-name': field,
    'data-prefix': prefix,
    'data-basic': kind === 'basic',
    placeholder: kind === 'basic' ? 'user:password' : placeholder,
  })}></label>`
}

function renderField({ name, place, isRequired, example, hasExample, schema }: ParameterView): Html {
  const value = isRequired && hasExample ? (example ?? '') : ''
  return html`<label><code>${name}</code><input autocomplete="off" spellcheck="false"${attributes({
    'data-place': place,
    'data-name': name,
    required: isRequired,
    value,
    placeholder: schema.type,
  })}></label>`
}
