import { UNKNOWN_PATTERN } from "../../ground/rule/evaluate.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import { interpreters, neverByPrefix, prefixWords } from "./command-names.ts"
import { innerCommands, readsInput } from "./inner-commands.ts"
import { holdsScript } from "./quoted-scripts.ts"
import type { ShellCommand } from "./shell-command.ts"
import { subcommandReadings } from "./subcommand-readings.ts"

/** What a bash call asks leave for. */
export interface CommandPatterns {
  /** One for each command of the script, quotes resolved; `*` for what cannot be known before it runs. */
  patterns: string[]
  /** What "always" would allow. Empty when it could not cover every pattern, or would cover far more. */
  always: string[]
}

const MAX_DEPTH = 4
/** Variables, and what other commands put out. */
const computed = /[$`]|[<>]\(/

/**
 * The patterns of an analysed shell script. Each command is one, written plainly (`git log`, however it was quoted).
 * What a wrapper (`sudo`, `xargs`, `sh -c '…'`) runs is judged too, and `git -C x push` as `git push`. A command
 * behind `NAME=value` is judged with and without it, because a variable can change what a command does.
 *
 * A script that cannot be parsed, or has over 50 commands, is `*`: it could be anything, so
 * `evaluatePermission` asks wherever any command is restricted, and "always" is not offered.
 */
export function commandPatterns(commands: ShellCommand[] | null): CommandPatterns {
  if (commands === null) return { patterns: [UNKNOWN_PATTERN], always: [] }
  const patterns = [...new Set(commands.flatMap((command) => patternsOf(command, 0)))]
  const always = [...new Set(commands.flatMap((command) => alwaysOf(command)))]
  const covers = (pattern: string) =>
    pattern !== UNKNOWN_PATTERN && always.some((grant) => matchWildcard(grant, pattern))
  return { patterns, always: patterns.every(covers) ? always : [] }
}

/** The patterns of commands some of whose words only the shell knows: an option of any kind may be among them. */
export function unknownWordPatterns(commands: readonly ShellCommand[]): string[] {
  const isUnknown = ({ words, assignments }: ShellCommand) =>
    words.some(({ literal, value }) => !literal && computed.test(value)) ||
    assignments.some((text) => computed.test(text))
  const patterns = commands.filter(isUnknown).flatMap((command) => patternsOf(command, 0))
  return [...new Set(patterns)].filter((pattern) => pattern !== UNKNOWN_PATTERN)
}

function patternsOf(command: ShellCommand, depth: number): string[] {
  const [name] = command.words
  if (command.evaluates !== undefined) return [UNKNOWN_PATTERN]
  if (name === undefined) return [...command.assignments, ...(holdsScript(command) ? [UNKNOWN_PATTERN] : [])]
  const text = command.words.map((word) => word.value).join(" ")
  const prefixed = command.assignments.length > 0 ? [`${command.assignments.join(" ")} ${text}`] : []
  if (!name.literal || depth > MAX_DEPTH) return [...prefixed, UNKNOWN_PATTERN]
  if (name.value === "cd" && prefixed.length === 0) return []
  // `git $X` could be any sub-command, so that a rule for one of them would miss it.
  const named = command.words.slice(0, prefixLength(command.words.map((word) => word.value)))
  if (named.some((word) => !word.literal)) prefixed.push(UNKNOWN_PATTERN)
  const own = name.value.includes("/") ? [text, text.slice(name.value.lastIndexOf("/") + 1)] : [text]
  const { commands, unknown } = innerCommands(command)
  const inner = commands.flatMap((behind) => patternsOf(behind, depth + 1))
  const meant = subcommandReadings(command)
  const plain = meant.words.map((words) => words.map(({ value }) => value).join(" "))
  const anything = unknown || meant.unknown || holdsScript(command)
  return [...prefixed, ...own, ...plain, ...inner, ...(anything ? [UNKNOWN_PATTERN] : [])]
}

/** What "always" would allow: the command with any further arguments, or exactly this one. */
function alwaysOf(command: ShellCommand): string[] {
  const [name, ...args] = command.words
  const exact = patternsOf(command, 0).filter((pattern) => !/[*?]/.test(pattern))
  if (name !== undefined && interpreters.has(baseName(name.value)) && readsInput(args)) return []
  if (name === undefined || command.assignments.length > 0 || neverByPrefix.has(baseName(name.value))) return exact
  if (name.value === "cd" || name.value.includes("/")) return exact
  const words = command.words.map((word) => word.value)
  const count = prefixLength(words)
  if (words.length < count) return exact
  const prefix = words.slice(0, count)
  // `git -C x push` has no sub-command where one is expected.
  if (prefix.slice(1).some((word) => word.startsWith("-")) || prefix.some((word) => /[*?]/.test(word))) return exact
  return [`${prefix.join(" ")} *`]
}

function prefixLength(words: string[]): number {
  const two = words.slice(0, 2).join(" ")
  const [first = ""] = words
  if (Object.hasOwn(prefixWords, two)) return prefixWords[two] ?? 1
  return Object.hasOwn(prefixWords, first) ? (prefixWords[first] ?? 1) : 1
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1)
}
