/** The largest file that is kept, in bytes. */
export const MOST_FILE_BYTES = 20 * 1024 * 1024

/** Whether this can be the name of a file: a SHA-256 as 64 lower-case hex digits. */
export function isFileHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}
