/** Opens a page of the site as a click on a link does (navigate.ts). */
export function openPath(path: string): void {
  const link = document.createElement('a')
  link.href = path
  document.body.append(link)
  link.click()
  link.remove()
}
