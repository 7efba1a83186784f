/**
 * A JSON data block, which the browser does not run. U+2028 and U+2029 need no escape, because the block is parsed as
 * JSON.
 */
export function jsonBlock(attribute: string, value: unknown): string {
  return jsonTextBlock(attribute, escapeJsonForHtml(JSON.stringify(value)))
}

/** The block for JSON that is escaped already. */
export function jsonTextBlock(attribute: string, json: string): string {
  return `<script type="application/json" ${attribute}>${json}</script>`
}

/** Escapes every `<`, so `</script` and `<!--` cannot end a block or open a comment. */
export function escapeJsonForHtml(json: string): string {
  return json.replaceAll('<', '\\u003c')
}
