/** Texts of the specification: 2, points 5 and 8. */
export const PREMIUM_REQUIRED_TEXT = 'Paylaşım yapabilmek için Premium olmalısın!'
export const ARCHIVE_NOT_LOADED = 'Arşivlenmiş gönderiler alınırken bir hata oluştu.'

export const POST_CREATED_TEXT = 'Gönderin paylaşıldı.'
export const POST_ARCHIVED_TEXT = 'Gönderi arşivlendi.'
/** The info toast when a post leaves the archive (specification 2, point 4). */
export const POST_UNARCHIVED_TEXT = 'Gönderi arşivden çıkarıldı.'
export const POST_DELETED_TEXT = 'Gönderi silindi.'
export const POST_REPORTED_TEXT = 'Gönderi bildirildi.'
export const COMMENT_DELETED_TEXT = 'Yorum silindi.'

export const POST_NOT_FOUND_TEXT = 'Gönderi bulunamadı.'
export const COMMENT_EMPTY_TEXT = 'Yorum boş olamaz.'
export const POST_FILE_MISSING_TEXT = 'Paylaşmak için bir dosya seç.'
/** Refusals of a file that has not the chosen type. */
export const fileTypeRefusals = {
  photo: 'Bu bir fotoğraf değil. JPEG, PNG, WebP, GIF ya da AVIF biçiminde bir dosya seç.',
  video: 'Bu bir video değil. MP4 ya da WebM biçiminde bir dosya seç.',
} as const
export const VIDEO_TOO_LARGE_TEXT = "Video boyutu 100MB'yi aşamaz."
export const VIDEO_TOO_LONG_TEXT = 'Video en fazla bir saat olabilir.'
export const VIDEO_UNREADABLE_TEXT = 'Bu video okunamadı. Başka bir dosya dene.'
