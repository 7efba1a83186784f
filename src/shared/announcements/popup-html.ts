/** The tags of a popup's HTML: the server removes all others when it is sent, and the browser when it is shown. */
export const allowedPopupTags = [
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'em',
  'i',
  'li',
  'ol',
  'p',
  's',
  'strong',
  'u',
  'ul',
] as const
export const allowedPopupAttributes = ['href'] as const
