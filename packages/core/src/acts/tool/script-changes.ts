import { commandOptions } from "./command-options.ts"
import { baseName, type CommandChanges, fileChangers } from "./file-changers.ts"
import { innerCommands, mostInner } from "./inner-commands.ts"
import { holdsScript } from "./quoted-scripts.ts"
import { isReader } from "./script-effects.ts"
import { programName, type ShellCommand, type ShellWord, wordSet } from "./shell-command.ts"
import { wrapperUsages } from "./wrapper-options.ts"

/** What a script changes as far as its words show; each item as written in the script. */
export interface ScriptChanges {
  writes: string[]
  removes: string[]
  downloads: string[]
  notes: string[]
  /** Commands whose changes are not known. */
  unknown: string[]
  /** Some of the names are computed at run time. */
  computed: boolean
}

/** Commands that change no file by themselves. Source: bash(1), and the manuals of coreutils and procps. */
const harmless = wordSet(
  ": alias bg break cd continue dirs disown exit export fg getopts hash jobs kill let local popd pushd read",
  "readonly return set shift shopt sleep times type ulimit umask unalias unset wait",
  "awk column comm date df env expr file fold free gawk hostname less lsof man more nproc pgrep ping pkill",
  "ps rev seq sort tree tsort uname uniq uptime xxd yes",
)
/** Arguments with which a program known here or in `fileChangers` may write more than is known. */
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
  // wget only reads the files it sends. An abbreviated option counts as writing, because it is ambiguous.
  wget: /^-[oa]|^--(?:(?:post|body)(?!-(?:file|data)(?:=|$))|out|app|use|save|load)/,
}

/**
 * Finds what the commands of a script write, remove and fetch, including commands behind `sudo`, `xargs`, `sh -c` and
 * the like.
 */
export function scriptChanges(commands: readonly ShellCommand[]): ScriptChanges {
  const found: ScriptChanges = { writes: [], removes: [], downloads: [], notes: [], unknown: [], computed: false }
  for (const command of commands) addCommand(found, command, 0)
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

/** Adds what a command changes, and the commands that it runs. */
function addCommand(found: ScriptChanges, command: ShellCommand, depth: number): void {
  const inner = innerCommands(command)
  if (depth < mostInner) for (const behind of inner.commands) addCommand(found, behind, depth + 1)
  const { words, assignments, evaluates } = command
  const text = (words.length > 0 ? words.map(({ value }) => value) : assignments).join(" ")
  if (evaluates !== undefined) found.unknown.push(evaluates)
  if (inner.unknown || holdsScript(command)) found.unknown.push(text)
  const [first, ...args] = command.words
  if (first === undefined) return
  const name = programName(first)
  if (!first.literal) return void found.unknown.push(text)
  if (inner.commands.length > 0 || Object.hasOwn(wrapperUsages, name)) {
    const seemsEmpty = inner.commands.length === 0 && !inner.unknown
    if (seemsEmpty && args.some(({ value }) => !value.startsWith("-"))) found.unknown.push(text)
    // These options name a file that is written or run.
    const namesFile =
      /^(?:-\w*o|--(?:o|rc|init)|-fprint|-fls)/.test(args[0]?.value ?? "") ||
      args.some(({ value }) => /^-f(?:print|ls)/.test(value))
    if (namesFile) found.unknown.push(text)
    const [behind] = inner.commands
    // The input of the wrapper adds further names to the command.
    if (wrapperUsages[name]?.input && behind !== undefined) {
      found.computed = true
      found.notes.push(`${name}: gives names from its input to ${behind.words.map(({ value }) => value).join(" ")}`)
    }
    if (args.some(({ value }) => value === "-delete")) found.notes.push(`${name} -delete: removes what it finds`)
    return
  }
  addChanges(found, changesOf(command, first, args), {
    text,
    isOwn: first.value.includes("/") && !/^\/(?:usr\/)?s?bin\//.test(first.value),
  })
}

function changesOf(command: ShellCommand, first: ShellWord, args: ShellWord[]): CommandChanges {
  const name = programName(first)
  const writer = Object.hasOwn(writers, name) ? writers[name] : undefined
  const isUnclear = args.some(({ value }) => writer?.test(value))
  const reader = Object.hasOwn(fileChangers, name) ? fileChangers[name] : undefined
  if (reader !== undefined) {
    const changes = reader.read(commandOptions(args, reader))
    return { ...changes, unknown: changes.unknown === true || isUnclear }
  }
  if (name === "git") return gitChanges(args)
  if (isUnclear || (writer !== undefined && args.some(({ literal }) => !literal))) return { unknown: true }
  // What a redirection writes is found elsewhere.
  if (harmless.has(name) || isReader({ ...command, assignments: [], writes: [] })) return {}
  return packageChanges(name, args) ?? { unknown: true }
}

/** `isOwn`: a program of the project that has the same name as a known one. */
function addChanges(
  found: ScriptChanges,
  changes: CommandChanges,
  { text, isOwn }: { text: string; isOwn: boolean },
): void {
  if (isOwn || changes.unknown) found.unknown.push(text)
  if (isOwn) return
  for (const kind of ["writes", "removes", "downloads"] as const) {
    for (const word of changes[kind] ?? []) {
      if (!word.literal) found.computed = true
      // The place where `find` and `xargs` insert the names they found.
      if (word.value === "{}") continue
      if (word.value !== "" && !/^\/dev\/(?:null|stdout|stderr|tty)$/.test(word.value)) found[kind].push(word.value)
    }
  }
  found.notes.push(...(changes.notes ?? []))
}

/** Options of git itself, before the sub-command, that take a value in the next word. */
const globalValues = ["git-dir", "work-tree", "namespace", "exec-path", "config-env", "super-prefix"]

/** Sub-commands that only read the repository or change only git's own data. */
const harmlessGit = wordSet(
  "add annotate blame cat-file check-ignore commit count-objects describe diff for-each-ref grep help log",
  "ls-files ls-remote ls-tree merge-base name-rev notes reflog rev-list rev-parse shortlog show status",
  "tag var verify-commit version whatchanged",
)
/** Sub-commands that change tracked files. */
const changingGit = wordSet("am apply bisect cherry-pick merge rebase revert")

/** What a git command changes in the worktree and elsewhere. Source: git's manual. */
function gitChanges(args: readonly ShellWord[]): CommandChanges {
  const [name, rest] = subcommand(args)
  if (name === null) return {}
  if (!name.literal) return { unknown: true }
  const command = `git ${name.value}`
  const separator = rest.findIndex(({ value }) => value === "--")
  const options = commandOptions(rest, { values: "bBCcemtu", longValues: ["source", "message", "branch", "depth"] })
  const { operands } = options
  const named = operands.map(({ value }) => value).join(" ")
  switch (name.value) {
    case "checkout":
      if (separator >= 0)
        return { writes: rest.slice(separator + 1), notes: [`${command} --: changes of these files are lost`] }
      if (operands.length === 0)
        return options.has("f", "force") ? { notes: [`${command} -f: changes of tracked files are lost`] } : {}
      return { notes: [`${command}: brings tracked files to ${named}, or ${named} back`] }
    case "restore":
      if (options.has("S", "staged") && !rest.some(({ value }) => /^-\w*W|^--w/.test(value))) return {}
      return { writes: operands, notes: [`${command}: changes of these files are lost`] }
    case "switch":
      return { notes: [`${command}: brings tracked files to ${named}`] }
    case "reset":
      return resetChanges(rest)
    case "clean":
      return options.has("n", "dry-run") ? {} : cleanChanges(options.has("d"), options.has("x", "X"), operands)
    case "stash":
      return stashChanges(operands[0]?.value ?? "push")
    case "rm":
      return options.has("cached", "n", "dry-run") ? {} : { removes: operands }
    case "mv":
      return { removes: operands.slice(0, -1), writes: operands.slice(-1) }
    case "clone": {
      const [from, to] = operands
      return from === undefined
        ? {}
        : {
            downloads: [from],
            writes: [to ?? { ...baseName(from), value: baseName(from).value.replace(/\.git$/, "") }],
          }
    }
    case "fetch":
      return { notes: [`${command}: downloads from ${named || "the remote"}`] }
    case "pull":
      return { notes: [`${command}: downloads from ${named || "the remote"} and changes tracked files`] }
    case "push":
      return { notes: [`${command}: sends commits to ${named || "the remote"}`] }
    case "config":
      return { notes: [`${command}: reads or changes settings of git`] }
    default:
      if (harmlessGit.has(name.value)) return { writes: options.of("output") }
      return changingGit.has(name.value) ? { notes: [`${command}: changes tracked files`] } : { unknown: true }
  }
}

/** The sub-command after git's own options, and its arguments. */
function subcommand(args: readonly ShellWord[]): [ShellWord | null, ShellWord[]] {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    if (!word.value.startsWith("-")) return [word, args.slice(at + 1)]
    const long = word.value.slice(2)
    if (word.value === "-C" || word.value === "-c" || globalValues.includes(long)) at++
  }
  return [null, []]
}

function resetChanges(args: readonly ShellWord[]): CommandChanges {
  const way = args.find(({ value }) => /^--(?:hard|merge|keep)$/.test(value))?.value
  return way === undefined
    ? { notes: ["git reset: moves the branch or what is staged; files stay"] }
    : { notes: [`git reset ${way}: changes of tracked files are lost`] }
}

function cleanChanges(withDirectories: boolean, withIgnored: boolean, paths: ShellWord[]): CommandChanges {
  const what = `untracked files${withDirectories ? " and directories" : ""}${withIgnored ? ", ignored ones too" : ""}`
  return { removes: paths, notes: [`git clean: removes ${what}`] }
}

function stashChanges(how: string): CommandChanges {
  if (how === "list" || how === "show") return {}
  if (how === "drop" || how === "clear") return { notes: [`git stash ${how}: what was put away is lost`] }
  return how === "pop" || how === "apply" || how === "branch"
    ? { notes: [`git stash ${how}: changes tracked files`] }
    : { notes: ["git stash: puts changes of tracked files away"] }
}

const nodeInstall = wordSet(
  "add ci clean-install dedupe i in install it link prune rebuild remove rm un uninstall unlink up update upgrade",
)
const nodeRead = wordSet(
  "audit bin config explain help info list ll la ls outdated ping root search version view whoami why",
)
const asInstall = "downloads packages, writes node_modules and the lock file, and may run scripts of packages"
const asRun = "downloads a program if it is not there, and runs it"

interface PackageTool {
  install: ReadonlySet<string>
  /** What an installation does. */
  does: string
  read?: ReadonlySet<string>
  /** Called without arguments, the tool installs. */
  bare?: boolean
}

const node: PackageTool = { install: nodeInstall, does: asInstall, read: nodeRead }
const system: PackageTool = {
  install: wordSet("install remove purge upgrade dist-upgrade full-upgrade autoremove update reinstall"),
  does: "downloads packages and changes the programs of this machine",
  read: wordSet("search show list policy info"),
}
const python: PackageTool = {
  install: wordSet("install uninstall download sync add remove"),
  does: "downloads packages, changes the Python environment, and may run scripts of packages",
  read: wordSet("list show freeze check"),
}

/** Source: the manuals of these programs. */
const packageTools: Readonly<Record<string, PackageTool>> = {
  apk: { ...system, install: wordSet("add del upgrade update") },
  apt: system,
  "apt-get": system,
  brew: system,
  bun: { ...node, install: wordSet("add i install remove rm update link") },
  cargo: {
    install: wordSet("add install remove uninstall update fetch"),
    does: "downloads packages and may build them",
  },
  dnf: system,
  gem: {
    install: wordSet("install uninstall update"),
    does: "downloads packages and changes those of Ruby",
    read: wordSet("list search"),
  },
  go: {
    install: wordSet("get install"),
    does: "downloads modules and may change go.mod and go.sum",
    read: wordSet("env list version doc"),
  },
  npm: node,
  pip: python,
  pip3: python,
  pnpm: node,
  poetry: python,
  uv: python,
  yarn: { ...node, bare: true },
  yum: system,
}
/** Sub-commands that run a downloaded program. */
const oneShot = wordSet("dlx exec x create init")

/** What a package tool changes; null when it is no package tool, or runs what the project provides. */
function packageChanges(name: string, args: readonly ShellWord[]): CommandChanges | null {
  if (name === "npx" || name === "bunx" || name === "pnpx" || name === "uvx")
    return { notes: [`${name}: ${asRun}`], unknown: true }
  const tool = Object.hasOwn(packageTools, name) ? packageTools[name] : undefined
  if (tool === undefined) return null
  const asked = args.filter(({ value }) => !value.startsWith("-"))
  const [first] = asked[0]?.value === "pip" ? asked.slice(1) : asked
  if (first === undefined) {
    if (tool.bare && !args.some(({ value }) => /^--?(?:v|version|h|help)$/.test(value)))
      return { notes: [`${name}: ${tool.does}`] }
    return {}
  }
  // The value of an option before the sub-command could be mistaken for the sub-command.
  if (!first.literal || /^--?[\w-]+$/.test(args[0]?.value ?? "")) return { unknown: true }
  const isChange = args.some(({ value }) => /^(?:fix|--fix|set|delete|-[uw]|-toolexec.*)$/.test(value))
  if (isChange || (first.value === "version" && args.length > 1)) return { unknown: true }
  if (tool.install.has(first.value)) return { notes: [`${name} ${first.value}: ${tool.does}`] }
  if (tool.read?.has(first.value)) return {}
  return oneShot.has(first.value) ? { notes: [`${name} ${first.value}: ${asRun}`], unknown: true } : { unknown: true }
}
