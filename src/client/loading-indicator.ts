/** The indicator hides after this, whatever it waits for (specification 1, points 2 and 9). */
const MAX_LOADING_MS = 2_300

let hideTimer: ReturnType<typeof setTimeout> | undefined

/** Shows that something is on its way, by an attribute of the document that styles/base.css draws. */
export function showLoading(): void {
  clearTimeout(hideTimer)
  document.documentElement.dataset.loading = ''
  hideTimer = setTimeout(hideLoading, MAX_LOADING_MS)
}

export function hideLoading(): void {
  clearTimeout(hideTimer)
  delete document.documentElement.dataset.loading
}

/** Shows that something is on its way until it is there, or is known not to come. */
export async function showLoadingWhile<T>(loaded: Promise<T>): Promise<T> {
  showLoading()
  try {
    return await loaded
  } finally {
    hideLoading()
  }
}
