import { live, outbox } from '../../../core/live/state.ts'
import { browserEnvironment } from '../../../core/platform/environment.ts'
import { session } from '../../../core/session/session.ts'
import { createBrowserFileStorage } from '../../media/upload/file-storage.ts'
import { prepareFile } from '../../media/upload/prepare-file.ts'
import { discardUpload } from '../../media/upload/resumable-upload.ts'
import { uploadFile } from '../../media/upload/upload-file.ts'
import { FileOutbox } from './file-outbox.ts'
import { OutgoingFiles } from './outgoing-files.ts'

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
