/** The indicator hides after this, whatever it waits for (specification 1, points 2 and 9). */
const LOADING_MS = 2_300

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows that something is on its way, by an attribute of the document that styles/base.css draws. */
export function showLoading(): void {
  clearTimeout(timer)
  document.documentElement.dataset.loading = ''
  timer = setTimeout(hideLoading, LOADING_MS)
}

export function hideLoading(): void {
  clearTimeout(timer)
  delete document.documentElement.dataset.loading
}

/** Shows that something is on its way until it is there, or is known not to come. */
export async function showLoadingOf<T>(loaded: Promise<T>): Promise<T> {
  showLoading()
  try {
    return await loaded
  } finally {
    hideLoading()
  }
}
