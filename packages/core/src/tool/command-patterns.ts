import { UNKNOWN_PATTERN } from "../permission/evaluate.ts"
import { analyseScript, type ShellCommand, type ShellWord } from "./command-analysis.ts"

/** What a bash call asks leave for. */
export interface CommandPatterns {
  /** One for each command of the script, quotes resolved; `*` for what cannot be known before it runs. */
  patterns: string[]
  always: string[]
}

/** Commands that run the command in their arguments. The number says how many plain arguments come before it. */
const wrappers: Record<string, number> = {
  sudo: 0,
  doas: 0,
  env: 0,
  command: 0,
  builtin: 0,
  exec: 0,
  nohup: 0,
  setsid: 0,
  nice: 0,
  ionice: 0,
  stdbuf: 0,
  time: 0,
  xargs: 0,
  watch: 0,
  strace: 0,
  busybox: 0,
  timeout: 1,
  chroot: 1,
}
const shells = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"])
/** "Always" for one of these with any arguments would be "always" for everything. */
const neverByPrefix = new Set([...Object.keys(wrappers), ...shells, "eval", "source", ".", "find", "ssh"])
/** How many words name what such a command does: "always" for `git log` is not for `git push`. Default 1. */
const prefixWords: Record<string, number> = {
  git: 2,
  gh: 2,
  npm: 2,
  "npm run": 3,
  pnpm: 2,
  "pnpm run": 3,
  yarn: 2,
  "yarn run": 3,
  bun: 2,
  "bun run": 3,
  npx: 2,
  cargo: 2,
  go: 2,
  docker: 2,
  "docker compose": 3,
  kubectl: 2,
  make: 2,
  pip: 2,
  uv: 2,
  poetry: 2,
  apt: 2,
  "apt-get": 2,
  brew: 2,
  systemctl: 2,
  terraform: 2,
  deno: 2,
  dotnet: 2,
  mvn: 2,
  gradle: 2,
  python: 2,
  python3: 2,
  node: 2,
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
  const patterns = new Set(commands.flatMap((command) => patternsOf(command, 0)))
  const unknown = patterns.has(UNKNOWN_PATTERN)
  const always = new Set(commands.flatMap((command) => alwaysOf(command)))
  return { patterns: [...patterns], always: unknown ? [] : [...always] }
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
  if (name === "eval") return scriptPatterns(args, depth)
  if (shells.has(name)) {
    const flag = args.findIndex((word) => /^-[a-z]*c$/.test(word.value))
    return flag < 0 ? [] : scriptPatterns(args.slice(flag + 1, flag + 2), depth)
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
  const [name] = command.words
  const exact = patternsOf(command, 0).filter((pattern) => !/[*?]/.test(pattern))
  if (name === undefined || command.assignments.length > 0 || neverByPrefix.has(baseName(name.value))) return exact
  if (name.value === "cd" || name.value.includes("/")) return exact
  const words = command.words.map((word) => word.value)
  const count = prefixLength(words)
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
