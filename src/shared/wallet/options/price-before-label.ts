/** A detail of the action log: the price before a change. */
export const PRICE_BEFORE_LABEL = 'Önceki fiyat (TL)'
