interface AudioSource {
  src: string
  type: string
}

/** The formats in which every source is offered (specification 1, point 2). */
const OFFERED_TYPES = ['audio/webm', 'audio/ogg']

const typeOfExtension: Record<string, string> = {
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
}

/** The sources of an audio file: first with the type of its extension, then as webm and ogg. */
export function audioSourcesOf(url: string): AudioSource[] {
  const own = typeOfExtension[/\.(\w+)$/.exec(url)?.[1] ?? '']
  return [...new Set([...(own ? [own] : []), ...OFFERED_TYPES])].map((type) => ({ src: url, type }))
}
