import { UNKNOWN_PATTERN } from "../../ground/rule/evaluate.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import { interpreters, neverByPrefix, prefixWords } from "./command-names.ts"
import { innerCommands, mostInner, readsInput } from "./inner-commands.ts"
import { holdsScript } from "./quoted-scripts.ts"
import { programName, type ShellCommand, type ShellWord } from "./shell-command.ts"

/** The patterns of a bash call, for its permission request. */
interface CommandPatterns {
  /** One pattern for each command of the script, with quotes resolved; `*` for what is unknown before it runs. */
  patterns: string[]
  /**
   * The patterns that "always" would allow. Empty when they could not cover every pattern or would cover far too much.
   */
  always: string[]
}

/** Variables and substitutions. */
const computed = /[$`]|[<>]\(/

/**
 * The patterns of an analysed shell script: one for each command, without quotes (`git log`, however it was quoted).
 * Commands run by a wrapper (`sudo`, `xargs`, `sh -c '…'`) get patterns too, and `git -C x push` also counts as `git
 * push`. A command after `NAME=value` is judged with and without it, because a variable can change what the command
 * does. A script that cannot be parsed, or has over 50 commands, is `*`: then `evaluatePermission` asks if any command
 * is restricted, and "always" is not offered.
 */
export function commandPatterns(commands: ShellCommand[] | null): CommandPatterns {
  if (commands === null) return { patterns: [UNKNOWN_PATTERN], always: [] }
  const patterns = [...new Set(commands.flatMap((command) => patternsOf(command, 0)))]
  const always = [...new Set(commands.flatMap((command) => alwaysOf(command)))]
  const covers = (pattern: string) =>
    pattern !== UNKNOWN_PATTERN && always.some((grant) => matchWildcard(grant, pattern))
  return { patterns, always: patterns.every(covers) ? always : [] }
}

/** The patterns of commands with words that only the shell knows: such a word may be any option. */
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
  if (!name.literal || depth > mostInner) return [...prefixed, UNKNOWN_PATTERN]
  if (name.value === "cd" && prefixed.length === 0) return []
  // `git $X` could run any sub-command, so a rule for one of them would not match.
  const named = command.words.slice(0, prefixLength(command.words.map((word) => word.value)))
  if (named.some((word) => !word.literal)) prefixed.push(UNKNOWN_PATTERN)
  const own = name.value.includes("/") ? [text, text.slice(name.value.length - programName(name).length)] : [text]
  const { commands, unknown } = innerCommands(command)
  const inner = commands.flatMap((behind) => patternsOf(behind, depth + 1))
  const meant = subcommandReadings(command)
  const plain = meant.words.map((words) => words.map(({ value }) => value).join(" "))
  const anything = unknown || meant.unknown || holdsScript(command)
  return [...prefixed, ...own, ...plain, ...inner, ...(anything ? [UNKNOWN_PATTERN] : [])]
}

/** The patterns for "always": the command with any further arguments, or exactly this one. */
function alwaysOf(command: ShellCommand): string[] {
  const [name, ...args] = command.words
  const exact = patternsOf(command, 0).filter((pattern) => !/[*?]/.test(pattern))
  if (name !== undefined && interpreters.has(programName(name)) && readsInput(args)) return []
  if (name === undefined || command.assignments.length > 0 || neverByPrefix.has(programName(name))) return exact
  if (name.value === "cd" || name.value.includes("/")) return exact
  const words = command.words.map((word) => word.value)
  const count = prefixLength(words)
  if (words.length < count) return exact
  const prefix = words.slice(0, count)
  // `git -C x push` has an option where the sub-command is expected.
  if (prefix.slice(1).some((word) => word.startsWith("-")) || prefix.some((word) => /[*?]/.test(word))) return exact
  return [`${prefix.join(" ")} *`]
}

function prefixLength(words: string[]): number {
  const two = words.slice(0, 2).join(" ")
  const [first = ""] = words
  if (Object.hasOwn(prefixWords, two)) return prefixWords[two] ?? 1
  return Object.hasOwn(prefixWords, first) ? (prefixWords[first] ?? 1) : 1
}

/** Possible meanings of a command with options before its sub-command. */
interface SubcommandReadings {
  /** The words without those options, e.g. `git push` of `git -C x push`. */
  words: ShellWord[][]
  /** The sub-command may be one that is not written in the command. */
  unknown: boolean
}

/** git settings that start no program. */
const plainSetting = /^(?:advice|color|column|user)\.|^(?:core\.quotepath|init\.defaultbranch)(?:=|$)/i

/**
 * Finds the sub-command after leading options (`git -C x push`, `kubectl -n a delete`), so that a rule for `git push`
 * applies. It is unknown which options take a value, so every reading counts. Extra readings only make the decision
 * stricter, because the command as written counts too.
 */
function subcommandReadings({ words }: ShellCommand): SubcommandReadings {
  const [first] = words
  const name = first === undefined ? "" : programName(first)
  if (first === undefined || !Object.hasOwn(prefixWords, name) || interpreters.has(name)) {
    return { words: [], unknown: false }
  }
  const starts = subcommandStarts(words)
  const last = words[starts.at(-1) ?? 0]
  const configured = name === "git" && runsSettings(words.slice(1, starts.at(-1)))
  const plain = { ...first, value: name }
  return {
    words: starts.map((start) => [plain, ...words.slice(start)]),
    unknown: configured || last?.literal === false,
  }
}

/** Possible positions of the sub-command when options come first; empty when none does. */
function subcommandStarts(words: ShellWord[]): number[] {
  if (!words[1]?.value.startsWith("-")) return []
  const starts: number[] = []
  const reached = new Set([1])
  for (let at = 1; at < words.length; at++) {
    const value = words[at]?.value ?? ""
    if (!reached.has(at)) continue
    if (!value.startsWith("-")) starts.push(at)
    else {
      reached.add(at + 1)
      if (!value.includes("=")) reached.add(at + 2)
    }
  }
  return starts
}

/** Whether git's own options may start a program: by an alias, a pager, or another directory of commands. */
function runsSettings(options: ShellWord[]): boolean {
  return options.some(({ value }, index) => {
    if (value === "-c") return !plainSetting.test(options[index + 1]?.value ?? "")
    return value.startsWith("--config-env") || value.startsWith("--exec-path=")
  })
}
