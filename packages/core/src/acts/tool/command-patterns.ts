import { UNKNOWN_PATTERN } from "../../ground/rule/evaluate.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import { interpreters, neverByPrefix, prefixWords } from "./command-names.ts"
import { innerCommands, mostInner, readsInput } from "./inner-commands.ts"
import { holdsScript } from "./quoted-scripts.ts"
import { programName, type ShellCommand, type ShellWord } from "./shell-command.ts"

/** What a bash call asks leave for. */
interface CommandPatterns {
  /** One for each command of the script, quotes resolved; `*` for what cannot be known before it runs. */
  patterns: string[]
  /** What "always" would allow. Empty when it could not cover every pattern, or would cover far more. */
  always: string[]
}

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
  if (!name.literal || depth > mostInner) return [...prefixed, UNKNOWN_PATTERN]
  if (name.value === "cd" && prefixed.length === 0) return []
  // `git $X` could be any sub-command, so that a rule for one of them would miss it.
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

/** What "always" would allow: the command with any further arguments, or exactly this one. */
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

/** How a command with options before its sub-command may be meant. */
interface SubcommandReadings {
  /** The words without those options, e.g. `git push` of `git -C x push`. */
  words: ShellWord[][]
  /** It may be another sub-command than any that is written. */
  unknown: boolean
}

/** Settings of git that start no program. */
const plainSetting = /^(?:advice|color|column|user)\.|^(?:core\.quotepath|init\.defaultbranch)(?:=|$)/i

/**
 * What stands behind the options of a command that is known by its sub-command (`git -C x push`, `kubectl -n a delete`):
 * a rule for `git push` has to see it. Which options take a value is not known, so each reading counts; they can only
 * make the answer stricter, because the command as it is written counts too.
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

/** Where the sub-command may be when options come first; nowhere when none does. */
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

/** Whether git's own options may bring a program with them: an alias, a pager, another directory of commands. */
function runsSettings(options: ShellWord[]): boolean {
  return options.some(({ value }, index) => {
    if (value === "-c") return !plainSetting.test(options[index + 1]?.value ?? "")
    return value.startsWith("--config-env") || value.startsWith("--exec-path=")
  })
}
