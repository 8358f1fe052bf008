import { UNKNOWN_PATTERN } from "../permission/evaluate.ts"
import { matchWildcard } from "../permission/wildcard.ts"
import { analyseScript, type ShellCommand, type ShellWord } from "./command-analysis.ts"
import { interpreters, neverByPrefix, prefixWords, scriptRunners, shells, wrappers } from "./command-names.ts"

/** What a bash call asks leave for. */
export interface CommandPatterns {
  /** One for each command of the script, quotes resolved; `*` for what cannot be known before it runs. */
  patterns: string[]
  /** What "always" would allow. Empty when it could not cover every pattern, or would cover far more. */
  always: string[]
}

const MAX_DEPTH = 4

/**
 * The patterns of an analysed shell script. Each command is one, written plainly (`git log`, however it was quoted).
 * What a wrapper (`sudo`, `xargs`, `sh -c '…'`) runs is judged too. A command behind `NAME=value` is judged
 * with and without it, because a variable can change what a command does.
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

function patternsOf(command: ShellCommand, depth: number): string[] {
  const [name, ...rest] = command.words
  if (name === undefined) return command.assignments
  const text = command.words.map((word) => word.value).join(" ")
  const prefixed = command.assignments.length > 0 ? [`${command.assignments.join(" ")} ${text}`] : []
  if (!name.literal || depth > MAX_DEPTH) return [...prefixed, UNKNOWN_PATTERN]
  if (name.value === "cd" && prefixed.length === 0) return []
  // `git $X` could be any sub-command, so that a rule for one of them would miss it.
  const named = command.words.slice(0, prefixLength(command.words.map((word) => word.value)))
  if (named.some((word) => !word.literal)) prefixed.push(UNKNOWN_PATTERN)
  const own = name.value.includes("/") ? [text, text.slice(name.value.lastIndexOf("/") + 1)] : [text]
  return [...prefixed, ...own, ...innerPatterns(baseName(name.value), rest, depth + 1)]
}

/** What a wrapper, a shell or `find` runs. */
function innerPatterns(name: string, args: ShellWord[], depth: number): string[] {
  if (name === "trap") return scriptPatterns(args.slice(0, 1), depth)
  if (scriptRunners.has(name)) return scriptPatterns(args, depth)
  if (name === "alias") return args.flatMap((word) => aliasPatterns(word, depth))
  if (shells.has(name)) {
    const flag = args.findIndex((word) => /^-[a-z]*c$/.test(word.value))
    if (flag >= 0) return scriptPatterns(args.slice(flag + 1, flag + 2), depth)
    return readsInput(args) ? [UNKNOWN_PATTERN] : []
  }
  if (name === "find") return findPatterns(args, depth)
  if (!Object.hasOwn(wrappers, name)) return []
  const skipped = args.filter((word) => !/^\w+=/.test(word.value))
  const command = skipped.slice(wrappers[name] ?? 0)
  if (command.length === 0) return []
  // An option may or may not take the next word, so what comes after it is not certain.
  if (skipped.some((word, index) => index <= (wrappers[name] ?? 0) && word.value.startsWith("-")))
    return [UNKNOWN_PATTERN]
  return patternsOf({ words: command, assignments: [], writes: [], reads: [] }, depth)
}

/** No script is named, so what to run comes through standard input. */
function readsInput(args: ShellWord[]): boolean {
  return args.every(
    (word) => word.value.startsWith("-") && !/^--?(c|e|eval|p|print|m|version|help|v|V|h)$/.test(word.value),
  )
}

function aliasPatterns(word: ShellWord, depth: number): string[] {
  const value = word.value.slice(word.value.indexOf("=") + 1)
  return word.value.includes("=") ? scriptPatterns([{ ...word, value }], depth) : []
}

function scriptPatterns(words: ShellWord[], depth: number): string[] {
  if (words.length === 0 || depth > MAX_DEPTH || words.some((word) => !word.literal)) return [UNKNOWN_PATTERN]
  const inner = analyseScript(words.map((word) => word.value).join(" "))
  return inner === null ? [UNKNOWN_PATTERN] : inner.flatMap((command) => patternsOf(command, depth))
}

function findPatterns(args: ShellWord[], depth: number): string[] {
  return args.flatMap((word, index) => {
    if (!/^-(exec|execdir|ok|okdir)$/.test(word.value)) return word.value === "-delete" ? ["rm"] : []
    const tail = args.slice(index + 1)
    const end = tail.findIndex(({ value }) => value === ";" || value === "+")
    const words = end < 0 ? tail : tail.slice(0, end)
    return words.length === 0 ? [UNKNOWN_PATTERN] : patternsOf({ words, assignments: [], writes: [], reads: [] }, depth)
  })
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
