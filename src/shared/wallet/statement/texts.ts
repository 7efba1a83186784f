export const STATEMENT_TITLE = 'Hesap hareketleri'
/** The columns of an exported statement. */
export const EXPORT_HEAD = ['Tarih', 'İşlem', 'Giren (₺)', 'Çıkan (₺)', 'Bakiye (₺)', 'Referans']
export const STATEMENT_EMPTY = 'Henüz hesap hareketin yok.'
export const STATEMENT_NOT_LOADED = 'Hesap hareketleri alınırken bir hata oluştu.'
export const EXPORT_LABEL = 'CSV olarak indir'
export const EXPORT_FAILED = 'Dosya hazırlanırken bir hata oluştu.'
export const EXPORT_CUT = 'Dosyada yalnızca en son hareketler var.'
export const STATEMENT_FILE_NAME = 'meydan-hesap-hareketleri.csv'
