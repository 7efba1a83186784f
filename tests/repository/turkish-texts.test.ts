import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const TURKISH = /[çğıöşüÇĞİÖŞÜ]/
const MIN_REPEATED_WORDS = 3

/** The specification's texts say 'siz' and stay as they are. A text may contain them, or be cut where a value follows. */
const specificationTexts = [
  'Admin olduğunuz odalarınız bulunmamaktadır',
  'Aramanız reddedildi.',
  'Arka arkaya çok fazla mesaj gönderdiniz. Lütfen 30 saniye bekleyiniz.',
  'Artık mesaj gönderebilirsiniz.',
  'Giriş başarısız. Lütfen tekrar deneyin.',
  'Bizden Ödeme Alın',
  'Gizlilik Sözleşmesini onayladınız!',
  'Gizlilik Sözleşmesini onaylamadan kayıt olamazsınız.',
  'Henüz bir odanız yok',
  'Hesabınıza yıldız yüklemek için kayıt olmanız gerekiyor.',
  'Kayıt başarısız. Lütfen tekrar deneyin.',
  'Kendinize mesaj gönderemezsiniz',
  'Kullanıcı sizi engelledi',
  'Kullanıcıyı engellediniz',
  'Lütfen ad ve soyad giriniz!',
  'Lütfen bir miktar seçiniz!',
  'Lütfen bir yükleme miktarı seçiniz!',
  'Lütfen geçerli bir IBAN numarası giriniz (TR ile başlayıp 24 haneli olmalıdır).',
  'Lütfen tüm alanları doldurun!',
  'Lütfen tüm alanları doldurunuz!',
  'Mesaj izniniz yok',
  'Oda adınız en az 1 harf olmalıdır!',
  'Odaya yeni katıldığınız için mesaj göndebilmek için 10 saniye beklemeniz gerekiyor.',
  'Sesli arama yapmak için izniniz yok.',
  'Süresi dolan odalarınız bulunmamaktadır',
  'Takibi bıraktınız.',
  'Takip isteğiniz gönderildi.',
  'Video araması yapmak için izniniz yok.',
  'Yalnızca resim, video ve ses dosyaları yükleyebilirsiniz.',
  'Yaşınız uygun değil!',
  'Yükleme talebiniz oluşturuldu ve onay bekliyor.',
  'Ödeme talebiniz oluşturuldu ve onay bekliyor.',
  'Şifreleriniz eşleşmiyor!',
]

/** 'sizin', 'gönderdiniz', 'şifrenizi' and the like, but not the sea or what two people share. */
const plural =
  /(?<!\p{L})siz(?:e|i|in|den|de|inle)?(?!\p{L})|(?!deniz|aranızdaki)\p{L}{2,}[aeıioöuü]n[ıiuü]z(?:\p{L}{1,5})?(?!\p{L})/giu
/** 'deneyin', 'bekleyin', but not nouns such as 'oyun' and 'onayın'. */
const vowelImperative =
  /(?<!\p{L})(?!(?:onayın|beyin|yayın|koyun|oyun|sayın|şeyin|köyün|ayın|boyun)(?!\p{L}))\p{L}{2,}y[ıiuü]n(?!\p{L})/giu
const verbs =
  'aç|al|bak|bas|bırak|bul|çek|çık|çıkar|değiştir|doldur|dön|düzelt|ed|geç|gid|gir|indir|kaldır|kapat|kullan|ol|paylaş|seç|sil|sor|tıkla|tut|ver|yap|yaz'
/** 'seçin', 'girin'. */
const consonantImperative = new RegExp(`(?<!\\p{L})(?:${verbs})[ıiuü]n(?!\\p{L})`, 'giu')

const texts = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*', '**/testing/**'] }).flatMap((path) =>
  findTurkishTexts(path, readFileSync(join(root, path), 'utf8')).map((text) => ({ path, text })),
)

/** The Turkish texts in a source file, white space folded; `…` is what a template inserts. */
function findTurkishTexts(path: string, source: string): string[] {
  if (!TURKISH.test(source)) return []
  return textsOf(parseSync(path, source).program)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => TURKISH.test(text))
}

function textsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(textsOf)
  if (!('type' in node)) return inner
  if (node.type === 'TemplateLiteral' && 'quasis' in node && Array.isArray(node.quasis))
    return [node.quasis.map((part) => part.value.cooked).join('…'), ...inner]
  const isText = node.type === 'Literal' || node.type === 'JSXText'
  return isText && 'value' in node && typeof node.value === 'string' ? [node.value, ...inner] : inner
}

/** The words of a text that address the reader as 'siz', outside the specification's texts. */
function findPoliteWords(text: string): string[] {
  const own = specificationTexts.reduce((rest, quoted) => rest.replaceAll(quoted, ''), text)
  return [plural, vowelImperative, consonantImperative].flatMap((pattern) => own.match(pattern) ?? [])
}

it('finds Turkish text in strings, templates, attributes and elements, and not in comments', () => {
  const code = [
    "// 'Bu bir yorum, sayılmaz.'",
    `const texts = ['Oda şu an dolu.', \`Oda şu an \${room} için dolu.\`, 'Oda aç', 'the room is full']`,
    'const page = <p title="Oda listesini aç">Oda şu an\n  boş.</p>',
  ]
  const expected = ['Oda şu an dolu.', 'Oda şu an … için dolu.', 'Oda aç', 'Oda listesini aç', 'Oda şu an boş.']
  expect(findTurkishTexts('code.tsx', code.join('\n')).toSorted()).toEqual(expected.toSorted())
})

it('has each Turkish text of three words or more once', () => {
  const long = texts.filter(({ text }) => text.split(' ').length >= MIN_REPEATED_WORDS)
  const pathsByText = Map.groupBy(long, ({ text }) => text)
  expect(pathsByText.size).toBeGreaterThan(150)
  const repeated = [...pathsByText].filter(([, found]) => found.length > 1)
  expect(repeated.map(([text, found]) => `${text}: ${found.map(({ path }) => path).join(', ')}`)).toEqual([])
})

it('finds polite forms of address, and leaves other words and the texts of the specification', () => {
  expect(findPoliteWords('Lütfen şifrenizi girin, sonra tekrar deneyin.')).toEqual(['şifrenizi', 'deneyin', 'girin'])
  expect(findPoliteWords('Size bir hediye gönderdiler, seçiniz!')).toEqual(['Size', 'seçiniz'])
  expect(findPoliteWords('Deniz yalnız değil, henüz oyun bitmedi; yıldız ver.')).toEqual([])
  expect(findPoliteWords('Mesaj izniniz yok. Bu kişi mesaj almak istemiyor.')).toEqual([])
})

it('addresses the reader as sen in all Turkish texts but those of the specification', () => {
  const polite = texts.flatMap(({ path, text }) =>
    findPoliteWords(text).map((word) => `${path}: '${word}' in '${text}'`),
  )
  expect(polite).toEqual([])
})
