/**
 * Lazy loading of branches of the navigation tree: fetched when they are opened, or about to be.
 *
 * If the request fails, the branch contains a link to the page that lists its entries.
 */

/** Starts the lazy loading of branches. */
export function startBranches(): void {
  const tree = document.querySelector('[data-navigation]')
  if (tree === null) return
  // `toggle` does not bubble, and loaded branches contain further branches.
  tree.addEventListener('toggle', ({ target }) => fill(target as Element), true)
  for (const soon of ['pointerover', 'focusin']) {
    tree.addEventListener(soon, ({ target }) => {
      const summary = (target as Element).closest('summary')
      if (summary !== null) fill(summary.parentElement!)
    })
  }
}

async function fill(branch: Element): Promise<void> {
  const address = branch.getAttribute('data-branch')
  if (address === null) return
  branch.removeAttribute('data-branch')
  const entries = await read(address).catch(() => undefined)
  if (entries === undefined) branch.setAttribute('data-branch', address)
  const [list, ...drawings] = entries ?? [listOf(branch.previousElementSibling!)]
  branch.querySelector('ul')?.remove()
  branch.append(list!)
  document.body.append(...drawings)
}

/** Returns a list with a copy of the link. */
function listOf(link: Element): Element {
  const list = document.createElement('ul')
  list.role = 'list'
  const item = document.createElement('li')
  item.append(link.cloneNode(true))
  list.append(item)
  return list
}

/** Fetches the list of entries, and the drawings of its icons. */
async function read(address: string): Promise<readonly Element[] | undefined> {
  const answer = await fetch(address)
  if (!answer.ok) return undefined
  const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (parsed.body.firstElementChild?.localName !== 'ul') return undefined
  // Its relative URLs are resolved against its own URL.
  for (const link of parsed.body.querySelectorAll<HTMLAnchorElement>('a[href]'))
    link.href = new URL(link.getAttribute('href')!, answer.url).href
  return [...parsed.body.children]
}
