/** The number of what is unread, which the title begins with (notifications/feature.ts). */
const COUNT = /^\(\d+\) /

/** Puts a text after the number of what is unread, once. */
export function addTitlePrefix(prefix: string): void {
  document.title = prefixed(document.title, prefix)
}

export function removeTitlePrefix(prefix: string): void {
  document.title = unprefixed(document.title, prefix)
}

export function prefixed(title: string, prefix: string): string {
  const plain = unprefixed(title, prefix)
  const [count = ''] = COUNT.exec(plain) ?? []
  return `${count}${prefix}${plain.slice(count.length)}`
}

export function unprefixed(title: string, prefix: string): string {
  const [count = ''] = COUNT.exec(title) ?? []
  const rest = title.slice(count.length)
  return rest.startsWith(prefix) ? count + rest.slice(prefix.length) : title
}
