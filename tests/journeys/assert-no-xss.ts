import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Each sets `window.hit`, or opens something, if any part of a page treats it as markup or code. */
export const XSS_CORPUS = [
  '<script>window.hit = 1</script>',
  '</script><script>window.hit = 1</script>',
  '"><img src=x onerror="window.hit=1">',
  "'><svg onload='window.hit=1'>",
  '<svg><script href="data:text/javascript,window.hit=1"></script></svg>',
  '<img src=x onerror=window.hit=1//',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<a href="javascript:window.hit=1">tıkla</a>',
  'javascript:window.hit=1',
  '</textarea></title></style><body onpageshow=window.hit=1>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.hit=1>',
  '<!--<img src="--><img src=x onerror=window.hit=1//">',
  '<template><img src=x onerror=window.hit=1></template>',
  '<m-island data-name="/x.island.tsx#X" data-on="load"></m-island>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of another template language
  '${window.hit=1}{{constructor.constructor("window.hit=1")()}}',
  '&lt;img src=x onerror=window.hit=1&gt; &#60;script&#62;',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<style>*{display:none}</style><link rel=stylesheet href="data:text/css,*{display:none}">',
]

/** A legacy name with a bidi override, which reverses the text after it unless an isolate ends it. It sorts first. */
export const BIDI_OVERRIDE_NAME = '!\u202Eters'

/** Asserts that no script ran, no markup was created, no link leaves the site, and no text is reversed. */
export async function assertNoXss(page: Page): Promise<void> {
  const result = await page.evaluate(() => {
    /** Text after a bidi override that no box or isolate ends. */
    const findReversedTexts = (): string[] => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (text) =>
        text.textContent?.includes('\u202E') ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT,
      )
      const found: string[] = []
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        let ancestor = text.parentElement
        const isOpen = ({ display, unicodeBidi }: CSSStyleDeclaration) =>
          display === 'inline' && unicodeBidi === 'normal'
        while (ancestor && isOpen(getComputedStyle(ancestor))) ancestor = ancestor.parentElement
        const following = document.createRange()
        following.setStartAfter(text)
        following.setEnd(ancestor ?? document.body, ancestor?.childNodes.length ?? 0)
        const content = following.cloneContents()
        if (content.textContent?.trim() || content.querySelector('svg, img')) found.push(ancestor?.outerHTML ?? '')
      }
      return found
    }
    return {
      hit: 'hit' in window,
      handlers: [...document.querySelectorAll('*')].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith('on')),
      ),
      planted: [
        ...document.querySelectorAll(
          'iframe, object, embed, base, math, template, meta[http-equiv=refresh], [href^="javascript:" i], [href^="data:" i], [srcdoc], body style',
        ),
      ].map(({ outerHTML }) => outerHTML),
      unsafeLinks: [
        ...document.querySelectorAll<HTMLAnchorElement>('a[href^=http], a[href^="//"], a[target]:not([href^="/"])'),
      ]
        .filter(({ relList }) => ['noopener', 'noreferrer', 'nofollow'].some((word) => !relList.contains(word)))
        .map(({ outerHTML }) => outerHTML),
      reversed: findReversedTexts(),
    }
  })
  expect(result).toEqual({ hit: false, handlers: [], planted: [], unsafeLinks: [], reversed: [] })
}
