import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { openModeration } from './moderation-screens.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

/** A time that is never reached, so that the rows come first. */
const LATE = 8_000_000_000_000
const WRITER = '(select min(id) from user)'

/** What the filter has matched, texts that wait, and alerts. */
function addSamples(site: Site): void {
  const now = Date.now()
  const words: [string, string, string, string | null, string][] = [
    ['salak', 'stem', 'replace', null, '["salaklık*"]'],
    ['aptal', 'word', 'replace', 'canım', '[]'],
    ['sık', 'stem', 'holdBack', null, '["sık","sıkı*"]'],
    ['bahis sitesi', 'stem', 'alert', null, '[]'],
  ]
  for (const [index, [pattern, match, action, replacement, exceptions]] of words.entries())
    updateSiteDatabase(
      site,
      `insert or ignore into filterEntry values (${LATE + index}, '${pattern}', 'örnek${index}', '${match}', '${action}',
        ${replacement === null ? 'null' : `'${replacement}'`}, '${exceptions}', ${now})`,
    )
  updateSiteDatabase(site, `update textFilter set revision = 'örnek', entryCount = (select count(*) from filterEntry)`)
  updateSiteDatabase(
    site,
    `insert or ignore into heldText values
      (${LATE}, ${WRITER}, 'room', 1, 'Bunu kim yazdı, sıkarım ha', null, null, null, 'sık', 'sıkarım', ${now}, null),
      (${LATE + 1}, ${WRITER}, 'direct', ${WRITER}, 'x', null, null, null, 'sık', 'sıkarım', ${now}, null)`,
  )
  updateSiteDatabase(
    site,
    `insert or ignore into filterHit values
      (${LATE}, ${WRITER}, 'room', 1, null, 'salak', 'salaksın', 'Sen gerçekten salaksın, konuşma artık', 'replace', ${now}),
      (${LATE + 1}, ${WRITER}, 'direct', ${WRITER}, null, 'bahis sitesi', 'bahis siteleri', null, 'alert', ${now})`,
  )
  updateSiteDatabase(
    site,
    `insert or ignore into accountMark select id, 'browser', 'örnek', ${now}, ${now} from user limit 4`,
  )
  // Of a user who is in no other screen.
  updateSiteDatabase(
    site,
    `insert or ignore into user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt, nameReleasedAt)
     values (${LATE}, 'Kovulan', 'kovulan', 1, 'guest', 'web', ${now}, ${now}, ${now})`,
  )
  updateSiteDatabase(
    site,
    `insert or ignore into restriction (id, userId, kind, reason, duration, imposedById, at, endsAt)
     values (${LATE}, ${LATE}, 'siteBan', 'Diğer', '1hr', ${LATE}, ${now}, ${now + 3_600_000})`,
  )
  updateSiteDatabase(site, `insert or ignore into restrictionFingerprint values ('örnek', ${LATE}, 'browser')`)
  const accounts = JSON.stringify({ accountCount: 5, messageCount: 23, sample: 'Ucuz bahis için bana yaz', since: now })
  updateSiteDatabase(
    site,
    `insert or ignore into alert values
      (${LATE}, 'word', 'örnek', ${WRITER}, 'room', 1, null,
        '{"pattern":"bahis sitesi","word":"bahis sitesini","excerpt":"Yeni bahis sitesini gördünüz mü?"}',
        3, ${now}, ${now}, null, null),
      (${LATE + 1}, 'sameText', 'örnek2', null, null, null, null,
        json_set('${accounts}', '$.userIds', json((select json_group_array(id) from (select id from user limit 3)))),
        1, ${now}, ${now}, null, null)`,
  )
}

async function openSection(...[visitor, site, section]: [...Parameters<Screen['open']>, string]) {
  await enterAsRootAdmin(visitor, site)
  addSamples(site)
  return openModeration(visitor, section)
}

/** A tab of 'Kelime Filtresi'. */
const filterTab = (name: string, tab: RegExp, shown: string): Screen => ({
  name,
  signedInAs: 'rootAdmin',
  open: async (visitor, site) => {
    const screen = await openSection(visitor, site, 'Kelime Filtresi')
    await screen.getByRole('tab', { name: tab }).click()
    await screen.getByText(shown).first().waitFor()
  },
})

/** 'Uyarılar', 'Kelime Filtresi' and 'Bağlı Hesaplar' of root admins. */
export const textFilterScreens: Screen[] = [
  {
    name: 'filter-alerts',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const screen = await openSection(visitor, site, 'Uyarılar')
      await screen.getByText('Ucuz bahis').waitFor()
    },
  },
  {
    name: 'filter-entries',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const screen = await openSection(visitor, site, 'Kelime Filtresi')
      await screen.getByLabel('Bir metni dene').fill('Sen ne salaksın, sıkıntı yok')
      await screen.getByText('Yayımlanan hâli').or(screen.getByText('bekletilir')).waitFor()
      await screen.getByText('bahis sitesi').waitFor()
    },
  },
  {
    name: 'filter-entry-form',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const screen = await openSection(visitor, site, 'Kelime Filtresi')
      await screen.getByRole('button', { name: 'Düzenle: aptal' }).click()
      await screen.getByLabel('Yerine yazılacak').waitFor()
    },
  },
  {
    name: 'filter-linked-accounts',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const screen = await openSection(visitor, site, 'Bağlı Hesaplar')
      await screen.getByLabel('Kullanıcı adı').fill('Zeynep')
      await screen.getByRole('button', { name: 'Ara', exact: true }).click()
      await screen.getByText('Tarayıcı ve adres yasakları').waitFor()
      await screen.getByRole('button', { name: 'Zeynep' }).first().waitFor()
    },
  },
  filterTab('filter-held', /Bekleyen/, 'Metni göster'),
  filterTab('filter-links', /Bağlantılar/, 'Misafirler bağlantı paylaşabilir'),
  filterTab('filter-hits', /Kayıtlar/, 'salaksın'),
]
