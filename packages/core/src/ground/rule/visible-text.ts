/**
 * What a terminal or browser does not draw where it stands: control characters, which move the cursor and wipe lines,
 * and format characters such as U+202E, which turns around what follows (https://www.unicode.org/reports/tr9). Line
 * ends, tabs and the joiners of emoji and of some scripts stay.
 */
const unseen = /(?!\r?\n|[\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text with everything to be seen, so that who grants a request reads what will happen: `\u{202e}` for U+202E. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
