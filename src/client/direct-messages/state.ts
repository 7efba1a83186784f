import { session } from '../accounts/session.ts'
import { browserEnvironment } from '../live/environment.ts'
import { live, outbox } from '../live/state.ts'
import { createBrowserFileStorage } from '../media/file-storage.ts'
import { OutgoingFiles } from '../media/outgoing-files.ts'
import { prepareFile } from '../media/prepare-file.ts'
import { discardUpload } from '../media/resumable-upload.ts'
import { createUploader } from '../media/upload-file.ts'
import { DirectConversations } from './direct-conversations.ts'

const files = new OutgoingFiles({
  environment: browserEnvironment,
  live,
  isOnline: () => navigator.onLine,
  storage: createBrowserFileStorage(),
  prepare: prepareFile,
  upload: createUploader('/dm/upload-media'),
  discardUpload,
  owner: () => ({ userId: session.userId(), tabId: session.tabId() }),
  createUrl: (blob) => URL.createObjectURL(blob),
  revokeUrl: (url) => URL.revokeObjectURL(url),
})
session.onClear(() => files.clear())

/** The conversations of this tab's windows. */
export const directConversations = new DirectConversations(
  { environment: browserEnvironment, live, outbox },
  files,
  () => session.user,
)
