import type { ReactNode } from 'react'
import { MessagePage } from '../message-page.tsx'

export const title = (): string => 'Sayfa bulunamadı · Meydan'

export function Page(): ReactNode {
  return (
    <MessagePage
      drawing="lost"
      title="Sayfa bulunamadı"
      text="Aradığın yer taşınmış ya da hiç olmamış olabilir. Meydan ise hep aynı yerde."
    />
  )
}
