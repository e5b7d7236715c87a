/** Interaction counter: what loads late takes the focus only from a person who has waited for it. */
let count = 0

for (const type of ['keydown', 'pointerdown'])
  addEventListener(type, () => (count += 1), { capture: true, passive: true })

/** Returns how many keys and pointers were pressed since the app was loaded. */
export const countInteractions = (): number => count
