import type { Page } from 'playwright-core'

/** Elements of the drawing that are shown, but not whole: outside the window or under something else. */
export function findCutParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxesOf = (selector: string) =>
      [...document.querySelectorAll(selector)].map((element) => ({ element, box: element.getBoundingClientRect() }))
    const covers = boxesOf('.sign-in-card, .landing-intro > *, .hero > header > *')
    const bottom = document.querySelector('.hero')?.getBoundingClientRect().bottom ?? 0
    const parts = boxesOf('.scene-tower, .scene-moon, .scene-speech, .scene-person, .scene-post')
    return parts
      .filter(({ box }) => box.width > 0)
      .filter(
        ({ box }) =>
          box.left < -0.5 ||
          box.right > innerWidth + 0.5 ||
          box.bottom > bottom ||
          covers.some(
            ({ box: other }) =>
              other.left < box.right && other.right > box.left && other.top < box.bottom && other.bottom > box.top,
          ),
      )
      .map(({ element, box }) => `${element.getAttribute('class')} at ${Math.round(box.left)}, ${Math.round(box.top)}`)
  })
}

/** Messages whose time lies on a line below their last word. */
export function findLonelyTimes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.bubble')].flatMap((bubble) => {
      const text = bubble.querySelector('.bubble-text')
      const time = bubble.querySelector('.bubble-foot time')?.getBoundingClientRect()
      if (!text?.textContent || !time) return []
      const range = document.createRange()
      range.selectNodeContents(text)
      const bottom = Math.max(...[...range.getClientRects()].map((line) => line.width && line.bottom))
      return time.top > bottom - 4 ? [text.textContent] : []
    }),
  )
}
