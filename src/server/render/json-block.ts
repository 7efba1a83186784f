/**
 * A data block that the browser does not run. Every `<` is written as an escape, so neither `</script` nor `<!--`
 * can end or open anything inside it; U+2028 and U+2029 are fine in JSON that is parsed as JSON.
 */
export function jsonBlock(attribute: string, value: unknown): string {
  return `<script type="application/json" ${attribute}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
}
