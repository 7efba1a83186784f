/** Enough for the loudness of speech, and a sixth of the memory of the usual rate. */
const DECODE_RATE_HZ = 8_000

export interface DecodedAudio {
  durationMs: number
  /** Of the first channel, -1 to 1. */
  samples: Float32Array
}

/** Decodes an audio file; null when the browser cannot. */
export async function decodeAudio(bytes: ArrayBuffer): Promise<DecodedAudio | null> {
  try {
    const buffer = await new OfflineAudioContext(1, 1, DECODE_RATE_HZ).decodeAudioData(bytes)
    const durationMs = Math.round(buffer.duration * 1000)
    return durationMs > 0 ? { durationMs, samples: buffer.getChannelData(0) } : null
  } catch (error) {
    console.warn(error)
    return null
  }
}

/** The duration of the file at a URL in milliseconds; null when it cannot be fetched or decoded. */
export async function fetchAudioDuration(url: string): Promise<number | null> {
  try {
    const response = await fetch(url)
    return response.ok ? ((await decodeAudio(await response.arrayBuffer()))?.durationMs ?? null) : null
  } catch (error) {
    console.warn(error)
    return null
  }
}
