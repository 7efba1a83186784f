import type { UserId } from '../../../../shared/protocol/ids.ts'
import { FILE_DATABASE } from './delete-file-storage.ts'
import type { OutgoingFile } from './outgoing-file.ts'

/** A file that waits to be sent. */
export interface StoredFile {
  /** The clientId of its message. */
  key: string
  userId: UserId | null
  /** The tab whose message it is. */
  tabId: string
  /** Epoch milliseconds of this machine. */
  storedAt: number
  file: OutgoingFile
  /** Its upload on the server, once one has begun. */
  uploadId?: string
}

/** The unsent files of this browser, shared by its tabs. */
export interface FileStorage {
  list(): Promise<readonly StoredFile[]>
  find(key: string): Promise<StoredFile | undefined>
  /** Rejects when there is no room. */
  put(stored: StoredFile): Promise<unknown>
  /** Does nothing when the file is gone. */
  setUploadId(key: string, uploadId: string): Promise<unknown>
  delete(key: string): Promise<unknown>
  clear(): Promise<unknown>
}

const STORE = 'files'

/** Stores files in IndexedDB; where it is blocked, they last as long as the page. */
export function createBrowserFileStorage(): FileStorage {
  let opening: Promise<FileStorage> | undefined
  const open = () => (opening ??= openDatabase().then(storageIn, createMemoryFileStorage))
  return {
    list: async () => (await open()).list(),
    find: async (key) => (await open()).find(key),
    put: async (stored) => (await open()).put(stored),
    setUploadId: async (key, uploadId) => (await open()).setUploadId(key, uploadId),
    delete: async (key) => (await open()).delete(key),
    clear: async () => (await open()).clear(),
  }
}

/** @param files the stored ones, by key */
export function createMemoryFileStorage(files = new Map<string, StoredFile>()): FileStorage {
  return {
    list: async () => [...files.values()],
    find: async (key) => files.get(key),
    put: async (stored) => files.set(stored.key, stored),
    setUploadId: async (key, uploadId) => {
      const stored = files.get(key)
      if (stored) files.set(key, { ...stored, uploadId })
    },
    delete: async (key) => files.delete(key),
    clear: async () => files.clear(),
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(FILE_DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'key' })
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
}

function storageIn(database: IDBDatabase): FileStorage {
  const run = <T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = use(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
      // A page that unloads does not wait for the automatic commit.
      transaction.commit()
    })
  return {
    list: () => run('readonly', (store) => store.getAll()),
    find: (key) => run('readonly', (store) => store.get(key)),
    put: (stored) => run('readwrite', (store) => store.put(stored)),
    setUploadId: (key, uploadId) =>
      new Promise<void>((resolve, reject) => {
        const transaction = database.transaction(STORE, 'readwrite')
        const store = transaction.objectStore(STORE)
        const found: IDBRequest<StoredFile | undefined> = store.get(key)
        found.onsuccess = () => found.result && store.put({ ...found.result, uploadId })
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
      }),
    delete: (key) => run('readwrite', (store) => store.delete(key)),
    clear: () => run('readwrite', (store) => store.clear()),
  }
}
