/** Reads files of the settings folder `.gitbook`. */
import type { ContentConfig } from '../../core/config.js'
import { type Variables, parseVariables } from '../../core/markdown/variables.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { joinPath } from '../../core/pages/paths.js'
import { entryAt } from '../../core/pages/read.js'
import type { ContentContext } from './content.js'

/** Returns the variables of the content, empty when it declares none. */
export async function readVariables(content: ContentContext): Promise<Variables> {
  const text = await readSetting(content, 'vars.yaml')
  return text === undefined ? {} : parseVariables(text).variables
}

/** Returns the text of a file in the settings folder, undefined when there is none. */
export async function readSetting(
  { revision, run }: ContentContext,
  name: string,
): Promise<string | undefined> {
  const { snapshot } = revision
  const entry = await run(entryAt(snapshot, settingsFile(name, snapshot.config)))
  if (entry === undefined || !('text' in entry)) return undefined
  const [text] = await run(loadTexts([entry.text]))
  return text
}

/** Returns the path of a file in the settings folder. */
export function settingsFile(name: string, { root }: ContentConfig): string {
  return joinPath(root, `.gitbook/${name}`)
}
