import { commandOptions } from "./command-options.ts"
import type { ShellWord } from "./shell-command.ts"

const declaring: ReadonlySet<string> = new Set(["declare", "export", "local", "readonly", "typeset", "unset"])

/** The words from the builtin on that runs in the end: `builtin command read x` as `read x`. */
export function builtinWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const at = words.findIndex(({ value }) => value !== "builtin" && value !== "command" && value !== "-p")
  return at < 0 ? [] : words.slice(at)
}

/**
 * Variables that a builtin of the shell sets by its arguments; null for one whose name is computed, or has a subscript
 * that is. Source: bash(1), SHELL BUILTIN COMMANDS.
 */
export function namesSetBy(words: readonly ShellWord[]): (string | null)[] {
  const [first, ...args] = builtinWords(words)
  return setWords(first?.value ?? "", args).map(nameOf)
}

function setWords(builtin: string, args: readonly ShellWord[]): readonly ShellWord[] {
  if (declaring.has(builtin)) return args.filter(({ value }) => !/^[-+]/.test(value))
  if (builtin === "read") {
    const { operands, of } = commandOptions(args, { values: "adinNptu" })
    return [...operands, ...of("a")]
  }
  if (builtin === "mapfile" || builtin === "readarray") return commandOptions(args, { values: "cCdnOsu" }).operands
  if (builtin === "getopts") return args.slice(1, 2)
  if (builtin === "wait") return commandOptions(args, { values: "p" }).of("p")
  if (builtin !== "printf" || !args[0]?.value.startsWith("-v")) return []
  const [option, next] = args
  return option.value === "-v" ? (next ? [next] : []) : [{ ...option, value: option.value.slice(2) }]
}

function nameOf({ value, literal }: ShellWord): string | null {
  const [, name, rest = ""] = /^([A-Za-z_]\w*)(?:\[\d+\])?(.*)$/s.exec(value) ?? []
  const isWhole = literal ? !rest.startsWith("[") : /^\+?=/.test(rest)
  return name !== undefined && isWhole ? name : null
}
