/**
 * Characters that a terminal or browser does not show as they are: control characters, which move the cursor and erase
 * lines, and format characters such as U+202E, which reverses the following text (https://www.unicode.org/reports/tr9).
 * Line ends, tabs and the joiners of emoji and of some scripts are not among them. Variation selectors are, except after signs
 * that have variants: a row of them can hold a text for a model.
 */
const unseen =
  /(?!\r?\n|[\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?<![\p{Emoji}\p{S}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}])\p{Variation_Selector}/gu

/** The text with unseen characters written out, `\u{202e}` for U+202E: who grants a request reads what will happen. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
