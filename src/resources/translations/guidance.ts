/** Translation guidance: instructions and a glossary, which are part of the prompt. */
import type { TranslationGuidance } from '../../contract/space-translations.js'
import type { TranslationRow } from './store.js'

export function readGuidance(
  settings: Pick<TranslationRow, 'instructions' | 'glossary'> | undefined,
): TranslationGuidance {
  return {
    object: 'translation-guidance',
    instructions: settings?.instructions ?? '',
    glossary: JSON.parse(settings?.glossary ?? '[]') as TranslationGuidance['glossary'],
  }
}
