import type { Command, Word } from "unbash"
import type { ShellWord } from "./shell-command.ts"

export function toShellWord(word: Word): ShellWord {
  const value = word.value
  return { value, literal: isLiteral(word), tilde: word.text.startsWith("~") }
}

/** Name and arguments of a command; an assignment among them as it is written. */
export function wordsOf(command: Command): ShellWord[] {
  const words = command.name === undefined ? [] : [toShellWord(command.name)]
  for (const argument of command.args) {
    words.push(
      argument.type === "Word" ? toShellWord(argument) : { value: argument.text, literal: false, tilde: false },
    )
  }
  return words
}

/** Whether a word is known before the command runs: no expansion in it. */
export function isLiteral(word: Word): boolean {
  return (word.parts ?? []).every((part) => {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") return true
    if (part.type === "DoubleQuoted") return part.parts.every((inner) => inner.type === "Literal")
    return false
  })
}
