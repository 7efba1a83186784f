/**
 * Keeps the page above the on-screen keyboard in browsers that do not resize the page (Safari ignores
 * `interactive-widget`): sets `--screen` to the visible height. Returns a function that stops it.
 */
export function trackVirtualKeyboard(): () => void {
  const { visualViewport } = window
  if (!visualViewport) return () => {}
  const root = document.documentElement
  const updateHeight = (): void => {
    const isCovered = window.innerHeight - visualViewport.height > 1
    if (isCovered) root.style.setProperty('--screen', `${visualViewport.height}px`)
    else root.style.removeProperty('--screen')
    // Safari scrolls the page up for its keyboard; the page fits now.
    if (isCovered) window.scrollTo(0, 0)
  }
  visualViewport.addEventListener('resize', updateHeight)
  return () => {
    visualViewport.removeEventListener('resize', updateHeight)
    root.style.removeProperty('--screen')
  }
}
