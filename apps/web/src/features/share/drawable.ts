/** What the fonts of cards hold for certain. For anything else they would be looked for elsewhere. */
const held = /[\u0020-\u007E\u00A1-\u00AC\u00AE-\u00FF\u2013\u2014\u2018\u2019\u201C\u201D\u2022\u2026]/

/** In the place of what cannot be drawn. */
const other = "\uFFFD"

/** A line in characters that a card can draw: accents go where their letter can stay, the rest becomes one dot. */
export function drawable(text: string): string {
  const drawn = Array.from(text, (character) => {
    if (held.test(character)) return character
    const [bare = ""] = character.normalize("NFKD")
    return held.test(bare) ? bare : other
  })
  return drawn.join("").replace(/\uFFFD+/g, "·")
}

/** Whether something can be read in it. */
export function isReadable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
