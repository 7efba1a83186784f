/** Phones and most computers encode H.264 in hardware; VP9 costs more of the processor, VP8 is what every browser can. */
const CODECS = ['video/h264', 'video/vp9', 'video/vp8']

/** The codecs of a call's video, the preferred one first, with their retransmission; what both have is used. */
export function preferredVideoCodecs(available: readonly RTCRtpCodec[]): RTCRtpCodec[] {
  const ofType = (type: string) => available.filter(({ mimeType }) => mimeType.toLowerCase() === type)
  return [...CODECS, 'video/rtx'].flatMap(ofType)
}
