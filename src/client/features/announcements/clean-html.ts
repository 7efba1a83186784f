import createPurifier from 'dompurify'
import { allowedPopupAttributes, allowedPopupTags } from '../../../shared/announcements/popup-html.ts'

const purify = createPurifier(window)
// Links open a new tab and send no referrer.
purify.addHook('afterSanitizeAttributes', (element) => {
  if (element.tagName !== 'A') return
  element.setAttribute('target', '_blank')
  element.setAttribute('rel', 'noopener noreferrer nofollow')
})

/** Removes everything from a popup's HTML that could run, load or cover anything, and answers nodes for the page. */
export function cleanHtml(html: string): DocumentFragment {
  return purify.sanitize(html, {
    ALLOWED_TAGS: [...allowedPopupTags],
    ALLOWED_ATTR: [...allowedPopupAttributes],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
}
