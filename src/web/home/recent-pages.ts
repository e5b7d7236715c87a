/** Pages that were opened in this browser, newest first; stored in the browser alone. */
export interface RecentPage {
  readonly space: string
  readonly path: string
  readonly title: string
  readonly emoji?: string | undefined
}

const storageKey = 'octavo-recent-pages'
const most = 12

export function readRecentPages(): readonly RecentPage[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecentPage) : []
  } catch {
    return []
  }
}

export function rememberPage(page: RecentPage): void {
  const others = readRecentPages().filter((one) => one.space !== page.space || one.path !== page.path)
  try {
    localStorage.setItem(storageKey, JSON.stringify([page, ...others].slice(0, most)))
  } catch {
    // A full or forbidden storage costs the list of recent pages alone.
  }
}

const isRecentPage = (value: unknown): value is RecentPage =>
  typeof value === 'object' &&
  value !== null &&
  ['space', 'path', 'title'].every((member) => typeof (value as Record<string, unknown>)[member] === 'string')
