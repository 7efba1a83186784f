import type { Post } from '../../../../shared/posts/post.ts'
import { POST_CREATED_TEXT } from '../../../../shared/posts/texts.ts'
import type { RouteAnswer } from '../../../../shared/protocol/catalogue.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { browserEnvironment } from '../../../core/platform/environment.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { prepareFile } from '../../../model/media/upload/prepare-file.ts'
import { discardUpload } from '../../../model/media/upload/resumable-upload.ts'
import { type UploadCall, uploadForm } from '../../../model/media/upload/upload-file.ts'
import { postFeed } from '../state.ts'
import { PostDraft, type PostUpload } from './post-draft.ts'

/** A new post of this tab. */
export function createPostDraft(): PostDraft {
  return new PostDraft({
    makeKey: browserEnvironment.uuid,
    createUrl: (file) => URL.createObjectURL(file),
    revokeUrl: (url) => URL.revokeObjectURL(url),
    prepare: prepareFile,
    upload,
    discardUpload,
    onSent: (post) => {
      postFeed.emitOwn(post.userId, { kind: 'created', post })
      void toast(POST_CREATED_TEXT, 'success')
    },
  })
}

async function upload(post: PostUpload, call: UploadCall): Promise<Post | Refusal | 'noAnswer'> {
  const form = (uploadId: string | null): FormData => toForm(post, uploadId)
  const answer = await uploadForm<RouteAnswer<'createPost'>>('/posts', post.file.blob, form, call, true)
  return answer === 'noAnswer' || answer instanceof Refusal ? answer : answer.post
}

/** A form as `POST /posts` reads it. Width, height and duration are those of a video. */
function toForm({ type, description, file }: PostUpload, uploadId: string | null): FormData {
  const form = new FormData()
  form.set('type', type)
  form.set('description', description)
  const { blob, name, poster, width, height, durationMs } = file
  if (type === 'video') {
    for (const [field, value] of Object.entries({ width, height, durationMs }))
      if (value) form.set(field, String(value))
    if (poster) form.set('poster', poster)
  }
  if (uploadId === null) form.set('file', blob, name)
  else form.set('uploadId', uploadId)
  return form
}
