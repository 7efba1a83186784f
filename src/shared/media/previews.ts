/** What lists, quotes and screen readers say of a file without text. Apart from rules.ts, because every page of a room has it. */
export const mediaPreviews = { image: 'Fotoğraf', video: 'Video', audio: 'Ses kaydı' } as const
