/** More than is seen of a folded brief or result (UTF-16 units). */
export const foldedLength = 1_000
