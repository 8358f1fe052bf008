/** Characters that the card fonts surely contain. For any other one the renderer would download a font. */
const inFonts = /[\u0020-\u007E\u00A1-\u00AC\u00AE-\u00FF\u2013\u2014\u2018\u2019\u201C\u201D\u2022\u2026]/

/** Stands for a character that cannot be drawn. */
const undrawable = "\uFFFD"

/**
 * A line of characters that a card can draw: accented letters lose their accents if necessary, and a run of other
 * characters becomes one dot.
 */
export function drawable(text: string): string {
  const drawn = Array.from(text, (character) => {
    if (inFonts.test(character)) return character
    const [bare = ""] = character.normalize("NFKD")
    return inFonts.test(bare) ? bare : undrawable
  })
  return drawn.join("").replace(/\uFFFD+/g, "·")
}

/** Whether the text contains at least one letter or digit. */
export function isReadable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
