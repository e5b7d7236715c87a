/** What a reader can do with a page besides reading it, in the order that the site gives it. */
import type { Linker, Placed } from '../routing/linker.js'
import type { PageAction } from '../layout/view.js'
import type { ShownSite } from '../routing/site.js'
import type { Words } from '../words/en.js'
import { fill } from '../words/words.js'

/** Programs of others that read an address for whoever asks; they are asked by the reader alone, by a click. */
const askers = [
  { name: 'ChatGPT', address: 'https://chatgpt.com/?q=' },
  { name: 'Claude', address: 'https://claude.ai/new?q=' },
]

interface ActionsPlace {
  readonly linker: Linker
  readonly page: Placed
  readonly words: Words
  /** Where the page is kept, for whoever may write there. */
  readonly source: string
}

/** Returns the actions of a page; what is not for everybody is not given to programs of others. */
export function pageActions(
  { customization, visibility, siteId }: Pick<ShownSite, 'customization' | 'visibility' | 'siteId'>,
  { linker, page, words, source }: ActionsPlace,
): PageAction[] {
  const markdown = linker.markdown(page)
  const isOpen = visibility === 'public' || visibility === 'unlisted'
  return customization.pageActions.items.flatMap((name): PageAction[] => {
    if (name === 'markdown')
      return [
        { title: words.copyMarkdown, href: markdown, icon: 'copy', isCopied: true },
        { title: words.viewMarkdown, href: markdown, icon: 'file-text' },
      ]
    if (name === 'pdf' && siteId === undefined)
      return [{ title: words.exportPdf, href: linker.pdf(page), icon: 'file-down', isNewTab: true }]
    if (name === 'pdf') return [{ title: words.printPage, href: '', icon: 'printer', isPrinted: true }]
    if (name === 'git') return [{ title: words.editPage, href: source, icon: 'pen' }]
    if (name === 'mcp') {
      const address = linker.absolute(`${linker.root}~octavo/mcp`)
      return [{ title: words.copyMcp, href: '', icon: 'plug', copies: address }]
    }
    if (name !== 'external-ai' || !isOpen) return []
    const question = `Read ${linker.absolute(markdown)} and answer questions about it.`
    return askers.map(({ name, address }) => ({
      title: fill(words.openIn, name),
      href: address + encodeURIComponent(question),
      icon: 'message-circle',
      isNewTab: true,
    }))
  })
}
