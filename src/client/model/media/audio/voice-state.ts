/** The formats that a recording may have, the first supported one is taken (specification 1, point 5). */
export const VOICE_FORMATS = ['audio/webm;codecs=opus', 'audio/webm', 'audio/ogg;codecs=opus', 'audio/ogg'] as const
export type VoiceFormat = (typeof VOICE_FORMATS)[number]

/** A recording stops by itself at this length. At 32 kbit/s it has 2.4 MB; a browser may use more. */
export const MAX_VOICE_MS = 10 * 60_000

/** Why nothing could be recorded; the specification leaves the wording open (specification 1, point 8). */
export const voiceFailures = {
  noAccess: 'Mikrofona erişilemiyor. Tarayıcıdan izin verip tekrar dene.',
  noMicrophone: 'Mikrofon bulunamadı. Bir mikrofon bağlayıp tekrar dene.',
  unsupportedBrowser: 'Tarayıcın ses kaydını desteklemiyor.',
  unsupportedFormat: 'Tarayıcın desteklenen bir biçimde ses kaydedemiyor.',
  unreadableDuration: 'Kaydın süresi okunamadı. Yeniden kaydetmeyi dene.',
  recordingElsewhere: 'Başka bir pencerede ses kaydediliyor. Önce onu bitir.',
} as const
export type VoiceFailure = keyof typeof voiceFailures

/** Why a recording ended. */
export const voiceEndings = {
  pressed: null,
  limitReached: 'Bir ses kaydı en fazla 10 dakika sürer. Kayıt burada bitti.',
  microphoneLost: 'Mikrofonun bağlantısı kesildi. Buraya kadarki kayıt duruyor.',
} as const
export type VoiceEnding = keyof typeof voiceEndings

/** A recording that can be sent. */
export interface VoiceNote {
  blob: Blob
  durationMs: number
  /** Loudness in 20 parts, 0 to 100. */
  waveform: readonly number[]
}

/** Times in milliseconds of one monotonic clock. */
export type VoiceState =
  | { name: 'idle' }
  | { name: 'opening' }
  /** `earlierMs`: recorded before the last pause. */
  | { name: 'recording'; earlierMs: number; resumedAt: number }
  | { name: 'paused'; earlierMs: number }
  /** The duration is being read. */
  | { name: 'reading'; ending: VoiceEnding }
  /** It can be played, sent and discarded. */
  | { name: 'stopped'; ending: VoiceEnding; note: VoiceNote }
  | { name: 'failed'; failure: VoiceFailure }

export type VoiceEvent =
  | { name: 'start' }
  | { name: 'opened'; at: number }
  | { name: 'pause'; at: number }
  | { name: 'resume'; at: number }
  | { name: 'stop'; ending: VoiceEnding }
  | { name: 'read'; note: VoiceNote }
  | { name: 'fail'; failure: VoiceFailure }
  /** Cancelled while it is made, discarded or sent after it. */
  | { name: 'end' }

/** The state after an event; the same one where the event does not apply (specification 1, point 4). */
export function nextVoiceState(state: VoiceState, event: VoiceEvent): VoiceState {
  const isLive = state.name === 'recording' || state.name === 'paused'
  switch (event.name) {
    case 'start':
      return state.name === 'idle' || state.name === 'failed' ? { name: 'opening' } : state
    case 'opened':
      return state.name === 'opening' ? { name: 'recording', earlierMs: 0, resumedAt: event.at } : state
    case 'pause':
      return state.name === 'recording' ? { name: 'paused', earlierMs: recordedMs(state, event.at) } : state
    case 'resume':
      return state.name === 'paused' ? { name: 'recording', earlierMs: state.earlierMs, resumedAt: event.at } : state
    case 'stop':
      return isLive ? { name: 'reading', ending: event.ending } : state
    case 'read':
      return state.name === 'reading' ? { name: 'stopped', ending: state.ending, note: event.note } : state
    case 'fail':
      return state.name === 'opening' || state.name === 'reading' ? { name: 'failed', failure: event.failure } : state
    case 'end':
      return { name: 'idle' }
  }
}

/** The recorded time, without pauses; 0 where nothing is being recorded. */
export function recordedMs(state: VoiceState, now: number): number {
  if (state.name === 'recording') return state.earlierMs + now - state.resumedAt
  return state.name === 'paused' ? state.earlierMs : 0
}
