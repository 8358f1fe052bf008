/** More characters than a folded brief or result can show (UTF-16 units). */
export const foldedLength = 1_000
