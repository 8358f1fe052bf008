import type { Command, Word } from "unbash"

/** One simple command of a script, with quotes and escapes resolved. */
export interface ShellCommand {
  /** Name and arguments. */
  words: ShellWord[]
  /** `NAME=value` before it, as written. */
  assignments: string[]
  /** Files that it opens for writing or reading; `null` when the target is computed at run time. */
  writes: (string | null)[]
  reads: string[]
  /** Set for an entry that is no command but a place where the shell may run text created at run time. */
  evaluates?: string
}

export interface ShellWord {
  value: string
  /** The word is known before the command runs: it has no expansion. */
  literal: boolean
  /** Starts with an unquoted `~`, which the shell replaces. */
  tilde: boolean
}

/** The name of a program without its directories. */
export function programName({ value }: Pick<ShellWord, "value">): string {
  return value.slice(value.lastIndexOf("/") + 1)
}

/** The words of lists that are written as text. */
export function wordSet(...texts: string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.split(" ")))
}

export function toShellWord(word: Word): ShellWord {
  const value = word.value
  return { value, literal: isLiteral(word), tilde: word.text.startsWith("~") }
}

/** The name and arguments of a command; assignments among them as written. */
export function wordsOf(command: Command): ShellWord[] {
  const words = command.name === undefined ? [] : [toShellWord(command.name)]
  for (const argument of command.args) {
    words.push(
      argument.type === "Word" ? toShellWord(argument) : { value: argument.text, literal: false, tilde: false },
    )
  }
  return words
}

/** Whether a word is known before the command runs: it has no expansion. */
export function isLiteral(word: Word): boolean {
  return (word.parts ?? []).every((part) => {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") return true
    if (part.type === "DoubleQuoted") return part.parts.every((inner) => inner.type === "Literal")
    return false
  })
}
