/** In this order a computer prefers them: VP9 has the better picture at a low rate, VP8 is what every browser can. */
const COMPUTER_CODECS = ['video/vp9', 'video/h264', 'video/vp8']
/** A phone encodes H.264 in hardware where its browser lists it: VP9 in software costs battery and heat. */
const PHONE_CODECS = ['video/h264', 'video/vp8']

/**
 * The codecs of a call's video, the preferred one first, with their retransmission. A phone with H.264 names no VP9, so
 * that neither side sends it; both sides of two computers use VP9. One codec is agreed on for both directions.
 */
export function preferredVideoCodecs(available: readonly RTCRtpCodec[], isPhone: boolean): RTCRtpCodec[] {
  const typeOf = ({ mimeType }: RTCRtpCodec): string => mimeType.toLowerCase()
  const hasH264 = available.some((codec) => typeOf(codec) === 'video/h264')
  const order = isPhone && hasH264 ? PHONE_CODECS : COMPUTER_CODECS
  const chosen = order.flatMap((type) => available.filter((codec) => typeOf(codec) === type))
  return [...chosen, ...available.filter((codec) => typeOf(codec) === 'video/rtx')]
}
