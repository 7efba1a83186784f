import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMp4, createWebm, mediaSamples } from '../../server/testing/fixtures/test-media.ts'
import { contentTypeOf, detectFileType } from './file-types.ts'
import { MAX_FILE_BYTES } from './rules.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const picture = { mediaType: 'image', extension: 'webp' }

describe('the type of a file', () => {
  it.each([
    ['JPEG', hex('ff d8 ff e0 00 10')],
    ['PNG', hex('89 50 4e 47 0d 0a 1a 0a')],
    ['GIF', Buffer.from('GIF89a')],
    ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
    ['AVIF', createMp4('avif', [])],
  ])('[DM-27] is a picture that becomes WebP for %s', (_, bytes) => {
    expect(detectFileType(bytes)).toEqual(picture)
  })

  it.each([
    ['mp4', 'video', 'mp4'],
    ['quickTime', 'video', 'mp4'],
    ['m4a', 'audio', 'm4a'],
    ['webmVideo', 'video', 'webm'],
    ['webmAudio', 'audio', 'webm'],
    ['ogg', 'audio', 'ogg'],
    ['mp3', 'audio', 'mp3'],
    ['mp3Frame', 'audio', 'mp3'],
    ['wav', 'audio', 'wav'],
  ] as const)('[DM-27] of %s is %s', (name, mediaType, extension) => {
    expect(detectFileType(mediaSamples[name])).toEqual({ mediaType, extension })
  })

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML that names a type', Buffer.from('<html>ftypmp42 webm V_VP9 OggS OpusHead')],
    ['a script', Buffer.from('#!/bin/sh\n')],
    ['a zip', hex('50 4b 03 04')],
    ['a program', hex('7f 45 4c 46')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['a font', Buffer.from('OTTO')],
    ['an AVI', Buffer.from('RIFF\0\0\0\0AVI LIST')],
    ['an HEIC picture', createMp4('heic', ['pict'])],
    ['an MP4 without tracks', createMp4('isom', [])],
    ['an MP4 of other tracks', createMp4('isom', ['text', 'hint'])],
    ['the head of an MP4 alone', createMp4('isom', ['vide']).subarray(0, 24)],
    ['an MP4 with an endless box', Buffer.concat([createMp4('isom', []).subarray(0, 24), hex('00000001 6d6f6f76 00')])],
    ['a Matroska file', createWebm('matroska', ['V_VP9'])],
    ['a WebM of other codecs', createWebm('webm', ['S_TEXT'])],
    ['an Ogg film', Buffer.from(`OggS${'\0'.repeat(24)}\x80theora`, 'latin1')],
    ['AAC without a container', hex('ff f1 50 80')],
    ['bytes like those of UTF-16', hex('ff fe 3c 00')],
  ])('[DM-27] is unknown for %s', (_, bytes) => {
    expect(detectFileType(bytes)).toBeNull()
  })

  it('[DM-27] is decided for any bytes behind any signature, and has a content type', () => {
    const heads = Object.values(mediaSamples).map((sample) => fc.constantFrom(sample.subarray(0, 12), sample))
    const files = fc.tuple(fc.oneof(...heads), fc.uint8Array({ maxLength: 200 })).map((parts) => Buffer.concat(parts))
    fc.assert(
      fc.property(files, (bytes) => {
        const type = detectFileType(bytes)
        expect(type === null || contentTypeOf(type.extension)).toBeTruthy()
      }),
    )
  })

  it.each([
    ['small boxes', [8, 'free'], 0],
    ['handlers', [8, 'hdlr'], 1],
    ['tracks of small boxes', [8, 'free'], 2],
  ] as const)(
    '[DM-27] of an MP4 with 20 MB of %s is decided in under 500 ms',
    { tags: 'deep' },
    (_, [size, name], depth) => {
      const content = Buffer.alloc(MAX_FILE_BYTES)
      for (let at = 0; at < content.length; at += 8) {
        content.writeUInt32BE(size, at)
        content.write(name, at + 4)
      }
      // A track of 8 KiB inside the movie.
      for (let at = 0; depth === 2 && at < content.length; at += 8_192) {
        content.writeUInt32BE(8_192, at)
        content.write('trak', at + 4)
      }
      const movie = Buffer.from('\0\0\0\0moov')
      const file = Buffer.concat([createMp4('isom', []).subarray(0, 20), ...(depth > 0 ? [movie] : []), content])
      const startedAt = performance.now()
      expect(detectFileType(file)).toBeNull()
      expect(performance.now() - startedAt).toBeLessThan(500)
    },
  )

  it('[DM-34] has no content type for an extension that no file has', () => {
    for (const extension of ['', 'html', 'svg', 'WEBP', 'constructor', '__proto__', 'toString'])
      expect(contentTypeOf(extension)).toBeUndefined()
  })
})
