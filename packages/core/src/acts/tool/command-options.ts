import type { ShellWord } from "./shell-command.ts"

/** Which options of a command take a value; all others stand alone. */
export interface OptionUsage {
  /** Letters of short options that take a value, in the same word or the next. */
  values?: string
  /** Long options that take a value, without dashes. */
  longValues?: readonly string[]
}

export interface CommandOptions {
  operands: ShellWord[]
  /** Whether one of these options was given, by letter or long name. */
  has(...names: string[]): boolean
  /** The values given to these options. */
  of(...names: string[]): ShellWord[]
}

/** Splits arguments as getopt does: options may follow operands, and `--` ends the options. */
export function commandOptions(
  args: readonly ShellWord[],
  { values = "", longValues = [] }: OptionUsage,
): CommandOptions {
  const operands: ShellWord[] = []
  const given: { name: string; value: ShellWord | null }[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    const { value } = word
    if (value === "--") {
      operands.push(...args.slice(at + 1))
      break
    }
    if (!value.startsWith("-") || value === "-") {
      operands.push(word)
      continue
    }
    if (value.startsWith("--")) {
      const [, name = "", attached] = /^--([^=]*)(?:=(.*))?$/s.exec(value) ?? []
      const takesNext = attached === undefined && longValues.includes(name)
      given.push({
        name,
        value: attached === undefined ? (takesNext ? (args[++at] ?? null) : null) : { ...word, value: attached },
      })
      continue
    }
    for (let letter = 1; letter < value.length; letter++) {
      const name = value.charAt(letter)
      if (!values.includes(name)) {
        given.push({ name, value: null })
        continue
      }
      const rest = value.slice(letter + 1)
      given.push({ name, value: rest === "" ? (args[++at] ?? null) : { ...word, value: rest } })
      break
    }
  }
  return {
    operands,
    has: (...names) => given.some(({ name }) => names.includes(name)),
    of: (...names) => given.flatMap(({ name, value }) => (names.includes(name) && value !== null ? [value] : [])),
  }
}
