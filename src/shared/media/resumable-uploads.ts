import * as v from 'valibot'
import { MAX_FILE_BYTES, MAX_LARGE_FILE_BYTES } from './rules.ts'

/** Where uploads that go on after a cut are sent, by tus 1.0 (https://tus.io/protocols/resumable-upload). */
export const UPLOADS_PATH = '/api/uploads'
export const TUS_VERSION = '1.0.0'
/** The content type of a part of an upload. */
export const UPLOAD_PART_TYPE = 'application/offset+octet-stream'

/** The largest upload of each kind, in bytes. The client names the kind when it creates one. */
export const uploadKinds = { file: MAX_FILE_BYTES, largeFile: MAX_LARGE_FILE_BYTES } as const
export type UploadKind = keyof typeof uploadKinds

/** An upload is removed after this, finished or not. */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60_000

/** The id of a finished upload, which a form sends in place of the file. */
export const UploadId = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))
