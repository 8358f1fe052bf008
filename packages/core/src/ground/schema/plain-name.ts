/** Characters that nobody sees, or that change how the text after them is shown: none of them is part of a name. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Whether a name of a server or a plugin can be told from every other one. Unlike the name of a person (`ShownName`), it
 * stands in rules, so that not even letters are joined by what nobody sees.
 */
export function isPlainName(name: string): boolean {
  return name.search(unseen) === -1 && name.trim() === name
}

/** Of a name that is none. */
export const plainNameRule = "a name has no characters that cannot be seen, and no space at its ends"

/** A text that holds names of others, with what cannot be seen written out, `\u{202e}` for U+202E. */
export function escapedName(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
