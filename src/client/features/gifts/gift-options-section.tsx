import type { ReactNode } from 'react'
import type { GiftKind } from '../../../shared/gifts/protocol.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import { callApi } from '../../core/http/call-api.ts'
import { liraField, numberField, numberIn } from '../../model/wallet/option-fields.ts'
import { OptionForm } from '../../model/wallet/option-form.tsx'
import { OptionListEditor, type OptionListKind } from '../../model/wallet/option-list-editor.tsx'
import { useLiveValue } from '../../model/wallet/option-store.ts'
import { allGiftKinds, giftPictureUrl, giftShare } from './gifts.ts'

const kind: OptionListKind<GiftKind> = {
  store: allGiftKinds,
  path: '/root-admin/gifts',
  isFixed: true,
  fields: [liraField('price', 'Fiyat')],
  toValues: (gift) => ({ price: gift ? String(gift.price) : '' }),
  toBody: (values, gift) => ({ price: numberIn(values, 'price'), status: gift?.status ?? 'active' }),
  describe: (gift) => ({ label: gift.name, detail: formatLira(gift.price), pictureUrl: giftPictureUrl(gift) }),
  status: {
    isOn: ({ status }) => status === 'active',
    toBody: ({ price }, isOn) => ({ price, status: isOn ? 'active' : 'inactive' }),
  },
}
const shareFields = [numberField('sharePercent', 'Alıcının payı (%)', 0, 100)]

/** The catalogue's prices, and the recipients' part of them. */
export function GiftOptionsSection(): ReactNode {
  const { value: share } = useLiveValue(giftShare)
  return (
    <>
      {share && (
        <OptionForm
          fields={shareFields}
          saved={{ sharePercent: String(share.sharePercent) }}
          submitLabel="Kaydet"
          send={(values) =>
            callApi('/root-admin/gift-share', {
              as: 'admin',
              method: 'PUT',
              body: { sharePercent: numberIn(values, 'sharePercent') },
            })
          }
        />
      )}
      <OptionListEditor kind={kind} />
    </>
  )
}
