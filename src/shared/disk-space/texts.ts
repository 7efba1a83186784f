export const GUESTS_CANNOT_WRITE_TEXT =
  'Sunucuda yer kalmadı: misafirler şu anda mesaj gönderemiyor. Lütfen daha sonra tekrar dene.'

/** What root admins are told when the level has changed. */
const levelTexts = {
  normal: 'Dosya yüklemeleri ve misafirlerin mesajları yeniden açık.',
  noUploads: 'Dosya yüklemeleri durduruldu; yer açılınca kendiliğinden başlar.',
  noGuestMessages: 'Dosya yüklemeleri ve misafirlerin mesajları durduruldu; yer açılınca kendiliğinden başlar.',
} as const

/** @param region null on a single node */
export function diskLevelText(level: keyof typeof levelTexts, percent: number, region: string | null): string {
  return `${region === null ? '' : `${region} bölgesi: `}Diskin doluluğu yüzde ${percent}. ${levelTexts[level]}`
}
