/** Menus are `details`: they close when one goes on elsewhere. */
export function openedMenus(): void {
  const menus = [...document.querySelectorAll<HTMLDetailsElement>('.top details')]
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Node)) return
    const isLink = target instanceof Element && target.closest('a') !== null
    for (const menu of menus) if (isLink || !menu.contains(target)) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    // The innermost first: what it hangs in stays open.
    const open = menus.filter((menu) => menu.open).at(-1)
    if (!open) return
    open.open = false
    open.querySelector('summary')!.focus()
  })
}
