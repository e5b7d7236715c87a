/** What the source view loads once it is open: completions, and the problems that the server finds, at their lines. */
import { autocompletion } from '@codemirror/autocomplete'
import {
  type Diagnostic,
  forEachDiagnostic,
  lintGutter,
  lintKeymap,
  linter,
  openLintPanel,
} from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { checkChangeRequestText, checkSpaceText } from '../../contract/text-check.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import type { ContentSource } from '../api/queries.js'
import { dialectCompletions } from './source-completions.js'

/** Milliseconds after the last key in which the text is checked. */
const checkDelay = 800

export interface AssistOptions {
  readonly source: ContentSource
  readonly page: string
  /** The text was checked. */
  readonly onProblems: (count: number) => void
}

export function sourceAssist({ source, page, onProblems }: AssistOptions): Extension {
  const check = linter(
    async (view) => {
      const diagnostics = await findProblems(source, page, view)
      onProblems(diagnostics.filter(({ severity }) => severity === 'warning').length)
      return diagnostics
    },
    { delay: checkDelay },
  )
  return [
    autocompletion({ override: [...dialectCompletions(source, page)] }),
    check,
    lintGutter(),
    keymap.of(lintKeymap),
  ]
}

export const openProblems = openLintPanel

/** Returns the problems of the text; none where the server cannot be asked. */
async function findProblems(
  source: ContentSource,
  page: string,
  { state }: EditorView,
): Promise<Diagnostic[]> {
  const body = { page, markdown: state.doc.toString() }
  try {
    const { problems } = await api.call(
      ...contentRequest(source, checkSpaceText, checkChangeRequestText, { body }),
    )
    return problems.map(({ kind, line, message }) => {
      const { from, to, text } = state.doc.line(Math.min(line, state.doc.lines))
      return {
        from: from + (text.length - text.trimStart().length),
        to,
        severity: kind === 'condition' ? 'info' : 'warning',
        message,
      }
    })
  } catch {
    return currentOf(state)
  }
}

/** The problems that are on screen stay there while the server cannot be asked. */
function currentOf(state: EditorView['state']): Diagnostic[] {
  const current: Diagnostic[] = []
  forEachDiagnostic(state, (diagnostic, from, to) => current.push({ ...diagnostic, from, to }))
  return current
}
