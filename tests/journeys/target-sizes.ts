import type { Page } from 'playwright-core'

/** WCAG 2.2, 2.5.8, and what a thumb needs (look.md, "Phone"). */
export const MIN_TARGET_PX = 24
export const MIN_TOUCH_TARGET_PX = 44

/** The visible controls that are smaller than `minPx`, with their sizes; links within a text are excepted as by WCAG 2.5.8. */
export function findSmallTargets(page: Page, minPx: number): Promise<string[]> {
  return page.evaluate((min) => {
    const controls = 'a[href], button, input, select, textarea, summary, [role=tab], [role=option], [role^=menuitem]'
    const isInText = (element: Element): boolean =>
      getComputedStyle(element).display.startsWith('inline') &&
      [...(element.parentNode?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.textContent ?? ''),
      )
    /** What reacts to a press: a field's label, or a pseudo-element that is larger than the control itself. */
    const sizeOf = (element: Element): [width: number, height: number] => {
      const target = (element.matches('input') && element.closest('label')) || element
      const { width, height } = target.getBoundingClientRect()
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
      const [width, height] = sizeOf(element)
      if (width === 0 || (Math.round(width) >= min && Math.round(height) >= min)) return []
      const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
      return [`${element.tagName.toLowerCase()}.${element.className} '${name.slice(0, 30)}' ${width} × ${height}`]
    })
  }, minPx)
}
