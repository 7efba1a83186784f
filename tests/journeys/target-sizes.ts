import type { Page } from 'playwright-core'

/** WCAG 2.2, 2.5.8, and what a thumb needs (look.md, "Phone"). */
export const MIN_TARGET_PX = 24
export const MIN_TOUCH_TARGET_PX = 44

/** It shares the 65 px of the header with the link above it. */
const SMALL_TOUCH_TARGET = '.room-header-counts > button'

/** The visible controls that are smaller than `minPx`, with their sizes; links within a text are excepted as by WCAG 2.5.8. */
export function findSmallTargets(page: Page, minPx: number): Promise<string[]> {
  return page.evaluate(findSmallControls, { minPx, exception: { selector: SMALL_TOUCH_TARGET, minPx: MIN_TARGET_PX } })
}

function findSmallControls(bounds: { minPx: number; exception: { selector: string; minPx: number } }): string[] {
  // The edge of a window beside a corner resizes it too.
  const controls =
    'a[href], button:not(.direct-edge), input, select, textarea, summary, [role=tab], [role=option], [role^=menuitem]'
  const isInText = (element: Element): boolean =>
    getComputedStyle(element).display.startsWith('inline') &&
    [...(element.parentNode?.childNodes ?? [])].some(
      (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.textContent ?? ''),
    )
  /** What reacts to a press: a field's label, or a pseudo-element that is larger than the control itself. */
  const sizeOf = (element: Element): [width: number, height: number] => {
    const target = (element.matches('input') && element.closest('label')) || element
    // Of the layout, because an animation may scale it.
    const [width, height] = target instanceof HTMLElement ? [target.offsetWidth, target.offsetHeight] : [0, 0]
    const stretched = ['::before', '::after']
      .map((pseudo) => getComputedStyle(target, pseudo))
      .filter(({ content, position }) => content !== 'none' && position === 'absolute')
    return [
      Math.max(width, ...stretched.map((style) => Number.parseFloat(style.width))),
      Math.max(height, ...stretched.map((style) => Number.parseFloat(style.height))),
    ]
  }
  return [...document.querySelectorAll(controls)].flatMap((element) => {
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    if (!isShown || isInText(element) || element.closest('[inert], [aria-disabled=true], :disabled')) return []
    if (getComputedStyle(element).pointerEvents === 'none') return []
    const { exception } = bounds
    const min = element.matches(exception.selector) ? exception.minPx : bounds.minPx
    const [width, height] = sizeOf(element)
    if (width === 0 || (Math.round(width) >= min && Math.round(height) >= min)) return []
    const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
    return [`${element.tagName.toLowerCase()}.${element.className} '${name.slice(0, 30)}' ${width} × ${height}`]
  })
}
