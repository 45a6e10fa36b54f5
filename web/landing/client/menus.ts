/** Menus are `details` elements; they close when the focus or a click goes elsewhere. */
export function openedMenus(): void {
  const menus = [...document.querySelectorAll<HTMLDetailsElement>('.top details')]
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Node)) return
    const isLink = target instanceof Element && target.closest('a') !== null
    for (const menu of menus) if (isLink || !menu.contains(target)) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    // Close the innermost menu first; the menu around it stays open.
    const open = menus.filter((menu) => menu.open).at(-1)
    if (!open) return
    open.open = false
    open.querySelector('summary')!.focus()
  })
}
