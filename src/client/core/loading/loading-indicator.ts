/** The indicator hides after this, loaded or not (specification 1, points 2 and 9). */
const MAX_LOADING_MS = 2_300

let hideTimer: ReturnType<typeof setTimeout> | undefined

/** Shows the loading indicator: styles/base.css draws it from an attribute of the document. */
export function showLoading(): void {
  clearTimeout(hideTimer)
  document.documentElement.dataset.loading = ''
  hideTimer = setTimeout(hideLoading, MAX_LOADING_MS)
}

export function hideLoading(): void {
  clearTimeout(hideTimer)
  delete document.documentElement.dataset.loading
}

/** Shows the loading indicator until `loaded` resolves or rejects. */
export async function showLoadingWhile<T>(loaded: Promise<T>): Promise<T> {
  showLoading()
  try {
    return await loaded
  } finally {
    hideLoading()
  }
}
