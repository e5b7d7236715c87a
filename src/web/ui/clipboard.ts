/** Copying of text: by the clipboard API at secure addresses, and by the copy command of the browser at plain http. */

export async function copyText(words: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(words)
  const write = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', words)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', write, { capture: true, once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', write, { capture: true })
  if (!isCopied) throw new Error('The browser does not copy at this address.')
}
