/**
 * Keeps the page above the on-screen keyboard where the browser does not shrink the page for it (Safari ignores
 * `interactive-widget`): the height that is left becomes `--screen`. The answer stops it.
 */
export function trackVirtualKeyboard(): () => void {
  const { visualViewport } = window
  if (!visualViewport) return () => {}
  const root = document.documentElement
  const follow = (): void => {
    const isCovered = window.innerHeight - visualViewport.height > 1
    if (isCovered) root.style.setProperty('--screen', `${visualViewport.height}px`)
    else root.style.removeProperty('--screen')
    // Safari scrolls the page up under its keyboard; everything fits now, so it has nothing to scroll.
    if (isCovered) window.scrollTo(0, 0)
  }
  visualViewport.addEventListener('resize', follow)
  return () => {
    visualViewport.removeEventListener('resize', follow)
    root.style.removeProperty('--screen')
  }
}
