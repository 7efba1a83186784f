import { browserEnvironment } from '../../core/live/environment.ts'
import { live, outbox } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { FileOutbox } from './file-outbox.ts'
import { createBrowserFileStorage } from './file-storage.ts'
import { OutgoingFiles } from './outgoing-files.ts'
import { prepareFile } from './prepare-file.ts'
import { discardUpload } from './resumable-upload.ts'
import { uploadFile } from './upload-file.ts'

const files = new OutgoingFiles({
  environment: browserEnvironment,
  live,
  isOnline: () => navigator.onLine,
  storage: createBrowserFileStorage(),
  prepare: prepareFile,
  upload: uploadFile,
  discardUpload,
  owner: () => ({ userId: session.userId(), tabId: session.tabId() }),
  createUrl: (blob) => URL.createObjectURL(blob),
  revokeUrl: (url) => URL.revokeObjectURL(url),
})
session.onClear(() => files.clear())

/** The unsent messages with files of this tab, in rooms and direct conversations. */
export const fileOutbox = new FileOutbox({ live, outbox }, files)
