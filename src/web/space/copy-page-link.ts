/** Copies the address of a page, and says so. */
import { text } from '../i18n/text.js'
import { showToast } from '../ui/toast.js'

export async function copyPageLink(path: string): Promise<void> {
  await navigator.clipboard.writeText(location.origin + path)
  showToast(text.common.copied)
}
