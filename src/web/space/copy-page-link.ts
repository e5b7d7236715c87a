/** Copies the address of a page, and says so. */
import { text } from '../i18n/text.js'
import { copyText } from '../ui/clipboard.js'
import { showToast } from '../ui/toast.js'

export async function copyPageLink(path: string): Promise<void> {
  await copyText(location.origin + path)
  showToast(text.common.copied)
}
