import { icon } from '../../core/ui/composer-icons.tsx'

export const StatementIcon = icon(<path d="M6 3.5h12v17l-3-2-3 2-3-2-3 2ZM9.5 8.5h5M9.5 12.5h5" />)
/** Icons of the wallet and its menus. */
export const WalletIcon = icon(
  <path d="M4 7.5A2.5 2.5 0 0 1 6.5 5H17v3.5M4 7.5v9A2.5 2.5 0 0 0 6.5 19H20V8.5H5.5A1.5 1.5 0 0 1 4 7.5ZM16 13.7v.1" />,
)
export const TopUpIcon = icon(<path d="M12 15.5v-11M7 9.5l5-5 5 5M4.5 15v4.5h15V15" />)
export const WithdrawalIcon = icon(<path d="M12 4.5v11M7 10.5l5 5 5-5M4.5 15v4.5h15V15" />)
export const RequestsIcon = icon(<path d="M4 13.5 6.5 5h11l2.5 8.5v6H4ZM4 13.5h4.5a3.5 3.5 0 0 0 7 0H20" />)
