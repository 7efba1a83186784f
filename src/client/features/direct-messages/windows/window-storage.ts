/** The open windows in the browser's storage. */
export const WINDOWS_KEY = 'directWindows'
