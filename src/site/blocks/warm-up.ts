/** Warm-up of icons and syntax highlighting at server start, so that the first readers do not wait for it. */
import { highlightMarkup } from './highlight.js'
import { icon } from './icons.js'

const frequent = ['bash', 'css', 'diff', 'go', 'java', 'javascript', 'json', 'php', 'python', 'ruby']
const others = [
  'csharp',
  'graphql',
  'http',
  'kotlin',
  'markdown',
  'rust',
  'sql',
  'swift',
  'typescript',
  'xml',
  'yaml',
]

/** Loads the icons and the languages most written about: about 0.2 s once, against 5 to 50 ms on each first page. */
export function warmUpBlocks(): void {
  icon('info')
  for (const language of [...frequent, ...others]) highlightMarkup('let name = "text" // 1\n', language)
}
