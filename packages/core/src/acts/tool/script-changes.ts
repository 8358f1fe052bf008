import type { CommandChanges } from "./command-changes.ts"
import { commandOptions } from "./command-options.ts"
import { fileChangers } from "./file-changers.ts"
import { gitChanges } from "./git-changes.ts"
import { innerCommands } from "./inner-commands.ts"
import { packageChanges } from "./package-changes.ts"
import { holdsScript } from "./quoted-scripts.ts"
import { isReader } from "./script-effects.ts"
import type { ShellCommand, ShellWord } from "./shell-command.ts"
import { wrapperUsages } from "./wrapper-options.ts"

/** What a script changes as far as its words tell, each as it is written there. */
export interface ScriptChanges {
  writes: string[]
  removes: string[]
  downloads: string[]
  notes: string[]
  /** Commands of which it is not known what they change. */
  unknown: string[]
  /** Some of the names are computed only when it runs. */
  computed: boolean
}

/** Commands in commands that are looked at. */
const maxDepth = 4

/** Change no file by themselves. Source: bash(1), and the manuals of coreutils and procps. */
const harmless: ReadonlySet<string> = new Set([
  ...": alias bg break cd continue dirs disown exit export fg getopts hash jobs kill let local popd pushd read".split(
    " ",
  ),
  ..."readonly return set shift shopt sleep times type ulimit umask unalias unset wait".split(" "),
  ..."awk column comm date df env expr file fold free gawk hostname less lsof man more nproc pgrep ping pkill".split(
    " ",
  ),
  ..."ps rev seq sort tree tsort uname uniq uptime xxd yes".split(" "),
])
/** Of those, programs whose own script or options can write all the same. */
const writers: Readonly<Record<string, RegExp>> = {
  awk: /[>|@]|system|getline|^-[Efil]|^--/,
  curl: /^--(?:lib|std|tr|et|hs|alt)/,
  date: /^-s|^--s/,
  find: /^-f(?:print|ls)/,
  gawk: /[>|@]|system|getline|^-[Efil]|^--/,
  hostname: /^[^-]/,
  less: /^-[oOk]|^--[lLo]/,
  man: /^-\w*[PH]|^--/,
  rsync: /^-\w*e|^--(?:rs|del$)/,
  sed: /^--(?!(?:expression|in-place|quiet|silent|regexp-extended|null-data|separate)(?:=|$))/,
  sort: /^-[^-]*[oST]|^--[ocf]/,
  tar: /^--(?:ch|rem|to|use|rsh|i|new)/,
  tree: /^-\w*o/,
  // What it sends is read, unless it is named in short.
  wget: /^-[oa]|^--(?:(?:post|body)(?!-(?:file|data)(?:=|$))|out|app|use|save|load)/,
}

/** Reads what the commands of a script, and those behind `sudo`, `xargs`, `sh -c` and the like, write, remove and fetch. */
export function scriptChanges(commands: readonly ShellCommand[]): ScriptChanges {
  const found: ScriptChanges = { writes: [], removes: [], downloads: [], notes: [], unknown: [], computed: false }
  for (const command of commands) visit(found, command, 0)
  const once = (items: string[]) => [...new Set(items)]
  return {
    ...found,
    writes: once(found.writes),
    removes: once(found.removes),
    downloads: once(found.downloads),
    notes: once(found.notes),
    unknown: once(found.unknown),
  }
}

function visit(found: ScriptChanges, command: ShellCommand, depth: number): void {
  const inner = innerCommands(command)
  if (depth < maxDepth) for (const behind of inner.commands) visit(found, behind, depth + 1)
  const { words, assignments, evaluates } = command
  const text = (words.length > 0 ? words.map(({ value }) => value) : assignments).join(" ")
  if (evaluates !== undefined) found.unknown.push(evaluates)
  if (inner.unknown || holdsScript(command)) found.unknown.push(text)
  const [first, ...args] = command.words
  if (first === undefined) return
  const name = first.value.slice(first.value.lastIndexOf("/") + 1)
  if (!first.literal) return void found.unknown.push(text)
  if (inner.commands.length > 0 || Object.hasOwn(wrapperUsages, name)) {
    if (inner.commands.length === 0 && !inner.unknown && args.some(({ value }) => !value.startsWith("-")))
      found.unknown.push(text)
    if (
      /^(?:-\w*o|--(?:o|rc|init)|-fprint|-fls)/.test(args[0]?.value ?? "") ||
      args.some(({ value }) => /^-f(?:print|ls)/.test(value))
    )
      found.unknown.push(text)
    const [behind] = inner.commands
    // What it adds to the command comes from its input.
    if (wrapperUsages[name]?.input && behind !== undefined) {
      found.computed = true
      found.notes.push(`${name}: gives names from its input to ${behind.words.map(({ value }) => value).join(" ")}`)
    }
    if (args.some(({ value }) => value === "-delete")) found.notes.push(`${name} -delete: removes what it finds`)
    return
  }
  add(found, changesOf(command, first, args), {
    text,
    isOwn: first.value.includes("/") && !/^\/(?:usr\/)?s?bin\//.test(first.value),
  })
}

function changesOf(command: ShellCommand, first: ShellWord, args: ShellWord[]): CommandChanges {
  const name = first.value.slice(first.value.lastIndexOf("/") + 1)
  const writer = Object.hasOwn(writers, name) ? writers[name] : undefined
  const isUnclear = args.some(({ value }) => writer?.test(value))
  const reader = Object.hasOwn(fileChangers, name) ? fileChangers[name] : undefined
  if (reader !== undefined) {
    const changes = reader.read(commandOptions(args, reader))
    return { ...changes, unknown: changes.unknown === true || isUnclear }
  }
  if (name === "git") return gitChanges(args)
  if (isUnclear || (writer !== undefined && args.some(({ literal }) => !literal))) return { unknown: true }
  // What it writes by a redirection is known otherwise.
  if (harmless.has(name) || isReader({ ...command, assignments: [], writes: [] })) return {}
  return packageChanges(name, args) ?? { unknown: true }
}

/** `isOwn`: a program of the project that only has the name of a known one. */
function add(found: ScriptChanges, changes: CommandChanges, { text, isOwn }: { text: string; isOwn: boolean }): void {
  if (isOwn || changes.unknown) found.unknown.push(text)
  if (isOwn) return
  for (const kind of ["writes", "removes", "downloads"] as const) {
    for (const word of changes[kind] ?? []) {
      if (!word.literal) found.computed = true
      // Where `find` and `xargs` put what they found.
      if (word.value === "{}") continue
      if (word.value !== "" && !/^\/dev\/(?:null|stdout|stderr|tty)$/.test(word.value)) found[kind].push(word.value)
    }
  }
  found.notes.push(...(changes.notes ?? []))
}
