export const STATEMENT_TITLE = 'Hesap hareketleri'
/** The columns of an exported statement. */
export const EXPORT_HEAD = ['Tarih', 'İşlem', 'Giren (₺)', 'Çıkan (₺)', 'Bakiye (₺)', 'Referans']
