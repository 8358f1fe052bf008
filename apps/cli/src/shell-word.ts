import { visibleText } from "@docket/core/rule"

/** A word of a command that is shown to be copied into a shell. What cannot be seen is escaped for bash, zsh and ksh. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  if (visibleText(word) === word && !/[\t\r\n]/.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`
  const bytes = [...new TextEncoder().encode(word)].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x27 || byte === 0x5c
      ? `\\x${byte.toString(16).padStart(2, "0")}`
      : String.fromCharCode(byte),
  )
  return `$'${bytes.join("")}'`
}
