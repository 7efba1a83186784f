/**
 * A JSON data block, which the browser does not run. Every `<` is escaped, so `</script` and `<!--` cannot end the block
 * or open a comment. U+2028 and U+2029 need no escape, because the block is parsed as JSON.
 */
export function jsonBlock(attribute: string, value: unknown): string {
  return `<script type="application/json" ${attribute}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
}
