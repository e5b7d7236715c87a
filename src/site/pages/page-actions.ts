/** Page actions menu: copy, print, edit and more, in the order of the site's settings. */
import type { Linker, PageWithPath } from '../routing/linker.js'
import type { PageAction } from '../layout/view.js'
import type { PublishedSite } from '../routing/site.js'
import type { Words } from '../words/en.js'
import { fill } from '../words/words.js'

/** AI assistants that read a URL; only a click of the reader sends it to them. */
const assistants = [
  { name: 'ChatGPT', address: 'https://chatgpt.com/?q=' },
  { name: 'Claude', address: 'https://claude.ai/new?q=' },
]

interface PageActionContext {
  readonly linker: Linker
  readonly page: PageWithPath
  readonly words: Words
  /** Address of the page in the app, for editors. */
  readonly source: string
}

/** Returns the actions of a page; AI assistants are offered only for public and unlisted sites. */
export function pageActions(
  { customization, visibility, siteId }: Pick<PublishedSite, 'customization' | 'visibility' | 'siteId'>,
  { linker, page, words, source }: PageActionContext,
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
    return assistants.map(({ name, address }) => ({
      title: fill(words.openIn, name),
      href: address + encodeURIComponent(question),
      icon: 'message-circle',
      isNewTab: true,
    }))
  })
}
