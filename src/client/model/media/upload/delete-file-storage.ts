/** The IndexedDB database of unsent files. */
export const FILE_DATABASE = 'unsentFiles'

/** Deletes all unsent files of this browser, also in a tab that has not loaded file-storage.ts. */
export function deleteFileStorage(): void {
  try {
    // Waits for the connections of pages that are closing.
    indexedDB.deleteDatabase(FILE_DATABASE)
  } catch {
    // Where storage is blocked, files are in the memory of their page.
  }
}
