/**
 * Characters that are not seen or that reorder others: controls but tab and line feed, marks of direction, zero-width
 * ones, fillers, tags, private ones. U+FE0F is usual after emoji.
 */
const unseen = /(?!\t|\n|\u{fe0f})[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A stranger's text as it really is: what hides in it is named by its code point. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => `⟨U+${hex(character)}⟩`)
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")
}
