/**
 * A JSON data block, which the browser does not run. U+2028 and U+2029 need no escape, because the block is parsed as
 * JSON.
 */
export function jsonBlock(attribute: string, value: unknown): string {
  return `<script type="application/json" ${attribute}>${escapeJsonForHtml(JSON.stringify(value))}</script>`
}

/** Escapes every `<`, so `</script` and `<!--` cannot end a block or open a comment. */
export function escapeJsonForHtml(json: string): string {
  return json.replaceAll('<', '\\u003c')
}
