import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_FILE_BYTES } from '../../../../shared/media/rules.ts'
import { MAX_VIDEO_BYTES } from '../../../../shared/posts/limits.ts'
import type { Post } from '../../../../shared/posts/post.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { Result } from '../../../../shared/protocol/result.ts'
import { flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import type { UploadCall } from '../../../model/media/upload/upload-file.ts'
import { createPost, Requests } from '../testing/post-fixtures.ts'
import { PostDraft, type PostUpload } from './post-draft.ts'

let uploads: Requests<PostUpload & UploadCall, Result<Post>>
let draft: PostDraft
let sent: Post[]
let urls: Set<string>
let discarded: string[]

beforeEach(() => {
  uploads = new Requests()
  sent = []
  urls = new Set()
  discarded = []
  let count = 0
  draft = new PostDraft({
    makeKey: () => `key-${++count}`,
    createUrl: (file) => {
      urls.add(file.name)
      return file.name
    },
    revokeUrl: (url) => void urls.delete(url),
    prepare: async (file, mediaType) => {
      const unknown = { poster: null, width: null, height: null, durationMs: null, waveform: null }
      return { blob: file, name: file.name, mediaType, ...unknown }
    },
    upload: (post, options) => uploads.send({ ...post, ...options }),
    discardUpload: (uploadId) => void discarded.push(uploadId),
    onSent: (post) => void sent.push(post),
  })
})

/** A file that says to have this size. */
function createFile(name: string, type: string, size = 100): File {
  return Object.defineProperty(new File([], name, { type }), 'size', { value: size })
}
const photo = createFile('deniz.jpg', 'image/jpeg')
const video = createFile('gezi.mp4', 'video/mp4')

async function startSending(description = 'Deniz'): Promise<void> {
  void draft.send(description)
  await flushPromises()
}

describe('the new-post form', () => {
  it('[POST-42] needs a file, of the chosen type and within its bound', async () => {
    await draft.send('Deniz')
    expect([draft.problem.value, uploads.inputs]).toEqual(['Paylaşmak için bir dosya seç.', []])
    draft.choose(video, true)
    expect(draft.problem.value).toMatch(/^Bu bir fotoğraf değil\./)
    draft.choose(createFile('a.png', 'image/png', MAX_FILE_BYTES + 1), true)
    expect(draft.problem.value).toBe("Dosya boyutu 20MB'yi aşamaz.")
    draft.setType('video')
    draft.choose(photo, true)
    expect(draft.problem.value).toMatch(/^Bu bir video değil\./)
    draft.choose(createFile('a.mp4', 'video/mp4', MAX_VIDEO_BYTES + 1), true)
    expect([draft.problem.value, draft.file.value]).toEqual(["Video boyutu 100MB'yi aşamaz.", null])
    draft.choose(createFile('a.mp4', 'video/mp4', MAX_VIDEO_BYTES), true)
    expect([draft.problem.value, draft.file.value?.file.name]).toEqual([null, 'a.mp4'])
  })

  it('[POST-42] takes the type of a dropped or pasted file, and lets the file go when the type changes', () => {
    draft.choose(video)
    expect([draft.type.value, draft.file.value?.url]).toEqual(['video', 'gezi.mp4'])
    draft.choose(createFile('a.txt', 'text/plain'))
    expect([draft.file.value?.url, draft.problem.value]).toEqual(['gezi.mp4', expect.stringMatching(/^Bu bir video/)])
    draft.setType('photo')
    expect([draft.file.value, [...urls]]).toEqual([null, []])
  })

  it('[POST-70] takes a file out that the browser cannot show, and not while it is sent', async () => {
    draft.choose(photo, true)
    draft.onUnreadable()
    expect([draft.file.value, [...urls]]).toEqual([null, []])
    expect(draft.problem.value).toMatch(/^Bu bir fotoğraf değil\./)
    draft.choose(photo, true)
    expect(draft.problem.value).toBeNull()
    await startSending()
    draft.onUnreadable()
    expect([draft.file.value?.url, draft.problem.value]).toEqual(['deniz.jpg', null])
  })

  it('[POST-44] shows the progress and then the post, and changes nothing meanwhile', async () => {
    draft.choose(photo)
    await startSending()
    uploads.inputs[0]?.onProgress(40)
    expect(draft.status.value).toEqual({ state: 'sending', share: 0.4 })
    draft.setType('video')
    draft.remove()
    await startSending()
    expect([draft.type.value, draft.file.value?.url, uploads.inputs.length]).toEqual(['photo', 'deniz.jpg', 1])
    uploads.answer(createPost(1))
    await flushPromises()
    expect([draft.status.value, sent]).toEqual([{ state: 'sent' }, [createPost(1)]])
  })

  it('[POST-44] sends the same post again under its key, and a changed one under another', async () => {
    draft.choose(photo)
    await startSending()
    uploads.answer('disconnected')
    await flushPromises()
    expect(draft.status.value.state).toBe('failed')
    await startSending()
    uploads.answer(new Refusal({ code: 'Busy', message: 'Sunucu meşgul.' }))
    await flushPromises()
    expect(draft.status.value).toEqual({ state: 'failed', reason: 'Sunucu meşgul.' })
    draft.onEdited()
    expect(draft.status.value).toEqual({ state: 'editing' })
    await startSending('Başka')
    expect(uploads.inputs.map(({ key, description }) => [key, description])).toEqual([
      ['key-1', 'Deniz'],
      ['key-1', 'Deniz'],
      ['key-2', 'Başka'],
    ])
  })

  it('[POST-44] goes on with the upload of its file, also after a changed description, but not after a stop', async () => {
    draft.choose(video)
    await startSending()
    uploads.inputs[0]?.onUploadId('abc')
    uploads.answer('disconnected')
    await flushPromises()
    draft.onEdited()
    await startSending('Başka')
    draft.cancel()
    await startSending('Başka')
    expect(uploads.inputs.map(({ uploadId }) => uploadId)).toEqual([null, 'abc', null])
    uploads.inputs[2]?.onUploadId('def')
    uploads.answer('disconnected')
    uploads.answer('disconnected')
    await flushPromises()
    expect(discarded).toEqual(['abc'])
    draft.choose(photo)
    await startSending()
    expect([uploads.inputs.at(-1)?.uploadId, discarded]).toEqual([null, ['abc', 'def']])
  })

  it('[POST-44] keeps what was entered when the upload is stopped', async () => {
    draft.choose(photo)
    await startSending()
    draft.cancel()
    expect([uploads.inputs[0]?.signal.aborted, draft.status.value.state]).toEqual([true, 'editing'])
    uploads.inputs[0]?.onProgress(50)
    uploads.answer('disconnected')
    await flushPromises()
    expect([draft.status.value.state, draft.file.value?.url, sent]).toEqual(['editing', 'deniz.jpg', []])
    draft.close()
    expect([...urls]).toEqual([])
  })
})
