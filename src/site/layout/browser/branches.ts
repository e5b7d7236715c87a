/**
 * Branches of the tree whose entries are not on the page: fetched when they are opened, or about to be.
 *
 * When they do not come, the link of the branch stands in their place, which leads to the page that shows them.
 */

/** Lets the branches of the tree fill themselves. */
export function startBranches(): void {
  const tree = document.querySelector('[data-navigation]')
  if (tree === null) return
  // `toggle` does not bubble, and branches come with further branches in them.
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

/** A list of the same link once more. */
function listOf(link: Element): Element {
  const list = document.createElement('ul')
  list.role = 'list'
  const item = document.createElement('li')
  item.append(link.cloneNode(true))
  list.append(item)
  return list
}

/** The list, and the drawings of its icons. */
async function read(address: string): Promise<readonly Element[] | undefined> {
  const answer = await fetch(address)
  if (!answer.ok) return undefined
  const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (parsed.body.firstElementChild?.localName !== 'ul') return undefined
  // Its addresses are written as seen from where it lies.
  for (const link of parsed.body.querySelectorAll<HTMLAnchorElement>('a[href]'))
    link.href = new URL(link.getAttribute('href')!, answer.url).href
  return [...parsed.body.children]
}
