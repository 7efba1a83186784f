import type { Page } from 'playwright-core'

/** The roles and names of the whole page, as screen readers have them; N is a number of people, HH:MM a time. */
export async function readTree(page: Page): Promise<string> {
  const tree = await page.locator('body').ariaSnapshot()
  return tree
    .replaceAll('\u034f', '')
    .replaceAll(/\d+ kişi/g, 'N kişi')
    .replaceAll(/\d\d:\d\d/g, 'HH:MM')
    .replaceAll(/ *- \/url: .*\n/g, '')
    .replaceAll(/^( *- (?:link|heading) .*):$/gm, '$1')
}

const skipLinks = `
- link "İçeriğe geç"
- link "Mesaj yazmaya geç"`

const place = `
  - heading "#Sohbet" [level=1]
    - link "#Sohbet"
  - text: N kişi burada
  - button "N kişi çevrimiçi"`

const headerButtons = `
  - button "Mesajlar"
  - button "Bildirimler"
  - button "Profilim"`

const main = `
- main:
  - log "#Sohbet mesajları":
    - paragraph: "#Sohbet"
    - paragraph: "#Sohbet odasına hoş geldin."
    - paragraph: Odanın başlangıcı burası.
    - heading "Bugün" [level=2]
    - paragraph:
      - button "Yazan"
    - text: Selam herkese
    - time: HH:MM
    - 'button "Yanıtla: Yazan: Selam herkese"'
    - text: "Yazan: Bak"
    - link "https://ornek.com/a"
    - button "@Okur"
    - time: HH:MM
    - 'button "Yanıtla: Yazan: Bak https://ornek.com/a @Okur"'
  - status
  - status
  - status
  - button "Emoji seç"
  - textbox "Mesaj yaz"
  - button "Dosya ekle"
  - button "Ses kaydet"`

const logAndComposer = ['#Sohbet mesajları', 'Emoji seç', 'Mesaj yaz', 'Dosya ekle', 'Ses kaydet']

const roomNames = ['Sohbet', 'Meydan', 'Müzik', 'Oyun', 'Gece Kuşları']

/** A guest's page of the room 'Sohbet' with two messages of 'Yazan': its tree and its tab stops, in order. */
export const guestRoom = {
  desktop: {
    tree: `${skipLinks}
- banner:
  - text: meydan${place}
  - button "Yeni Oda Aç"
  - button "Tüm Odalar"
  - button "Mesajlarda ara"
  - button "Odadaki kullanıcılar, N kişi" [expanded]: "1"${headerButtons}
- navigation "Odalar":
  - heading "Odalar" [level=2]
  - button "Oda Yönetimi"
  - button "Canlı odaları göster" [expanded]
  - list:${roomNames.map((name) => `\n    - listitem:\n      - link "${name} N kişi"`).join('')}${main}
- complementary "Odadakiler 1":
  - heading "Odadakiler 1" [level=2]
  - search:
    - searchbox "Odadaki kullanıcılarda ara..."
    - group "Cinsiyet":
      - button "Kadınlar"
      - button "Erkekler"
  - status
  - list "Kullanıcı listesi":
    - listitem:
      - button "Online Bakan sen Misafir Web":
        - img "Online"
        - text: Bakan sen Misafir
        - img "Web"
- paragraph`,
    stops: [
      ...['Mesaj yazmaya geç', '#Sohbet', 'N kişi çevrimiçi', 'Yeni Oda Aç', 'Tüm Odalar', 'Mesajlarda ara'],
      ...['Odadaki kullanıcılar, N kişi', 'Mesajlar', 'Bildirimler', 'Profilim'],
      ...['Oda Yönetimi', 'Canlı odaları göster', ...roomNames.map((name) => `#${name}N kişi`)],
      ...logAndComposer,
      ...['Odadaki kullanıcılarda ara...', 'Kadınlar', 'Erkekler', 'BakansenMisafir'],
    ],
  },
  phone: {
    tree: `${skipLinks}
- banner:${place}
  - button "Mesajlarda ara"${headerButtons}
- navigation "Hızlı erişim":
  - button "Odadaki kullanıcılar, N kişi": N kişi
  - button "Tüm Odalar, 5 oda": 5 oda
  - button "Ayarlar"${main}
- paragraph`,
    stops: [
      ...['Mesaj yazmaya geç', '#Sohbet', 'N kişi çevrimiçi', 'Mesajlarda ara', 'Mesajlar', 'Bildirimler', 'Profilim'],
      ...['Odadaki kullanıcılar, N kişi', 'Tüm Odalar, 5 oda', 'Ayarlar', ...logAndComposer],
    ],
  },
}
