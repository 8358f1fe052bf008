import { holdsScript } from "./quoted-scripts.ts"
import { type ShellCommand, wordSet } from "./shell-command.ts"

/**
 * Commands that write no file, whatever their arguments. Source: their manuals (GNU coreutils, grep, jq) and bash(1).
 */
const readers = wordSet(
  "[ basename cat cd cksum cmp cut diff dirname du echo egrep false fgrep grep head id jq ls md5sum nl od",
  "printf pwd readlink realpath sha1sum sha256sum stat strings tac tail test tr true type uname wc which whoami",
)

/** Sub-commands of git that change no file of the worktree when only the options below are given. */
const readingGit = wordSet(
  "blame describe diff grep log ls-files ls-tree merge-base rev-list rev-parse shortlog show status",
)
const gitOptions = wordSet(
  "-- --abbrev-commit --abbrev-ref --all --author --branch --cached --color --count --date --decorate",
  "--exclude-standard --first-parent --follow --format --full-name --git-dir --graph --grep --ignore-case",
  "--ignored --is-inside-work-tree --line-number --max-count --merges --name-only --name-status",
  "--no-color --no-ext-diff --no-merges --no-pager --no-patch --no-textconv --numstat --oneline --others",
  "--patch --porcelain --pretty --reverse --short --show-toplevel --shortstat --since --staged --stat",
  "--summary --tags --unified --until --untracked-files --verify --word-diff",
)

/** `sed -n` that only prints lines. */
const printedLines = /^(?:(?:\d+|\$)(?:,(?:\+?\d+|\$))?p;?)+$/

/** Programs that write no file as long as their arguments are literal and pass this check. */
const carefulReaders: Record<string, (args: string[]) => boolean> = {
  find: (args) => !args.some((arg) => /^-(?:delete|exec|ok|fprint|fls)/.test(arg)),
  git: readsByGit,
  rg: (args) => !args.some((arg) => /^--(?:pre|hostname-bin)/.test(arg)),
  sed: ([option, script = "", ...files]) =>
    option === "-n" && printedLines.test(script) && !files.some((file) => file.startsWith("-")),
  sort: (args) => args.every((arg) => !arg.startsWith("-") || /^-[bdfghiMnrsuVkt\d.,]*$/.test(arg)),
  // `uniq` would write a second file.
  uniq: (args) => args.every((arg) => /^-[cdiu]+$/.test(arg)),
}

/**
 * Whether a script is known to change no file. True is certain; false may be too careful. Programs that the user
 * configured for git, such as an external diff, count as readers.
 */
export function changesNoFile(script: string, commands: ShellCommand[]): boolean {
  // bash may evaluate the text of a subscript once more: `test -v 'a[$(rm b)]'`.
  if (script.includes("[") && /\$\(|`/.test(script)) return false
  return commands.every((command) => isReader(command) && command.evaluates === undefined && !holdsScript(command))
}

/** Whether a command is known to change no file, whatever its arguments are. */
export function isReader({ words, assignments, writes }: ShellCommand): boolean {
  // A variable may name a program or a library to load.
  if (assignments.length > 0 || writes.some((file) => file !== "/dev/null")) return false
  const [name, ...args] = words
  if (name === undefined) return true
  if (!name.literal) return false
  if (readers.has(name.value)) return true
  const reads = Object.hasOwn(carefulReaders, name.value) ? carefulReaders[name.value] : undefined
  return reads !== undefined && args.every((word) => word.literal) && reads(args.map(({ value }) => value))
}

function readsByGit(args: string[]): boolean {
  const at = args.findIndex((arg) => arg !== "--no-pager")
  if (!readingGit.has(args[at] ?? "")) return false
  const options = args.slice(at + 1).filter((arg) => arg.startsWith("-"))
  // `-O` of `git grep` starts a pager.
  return options.every((option) =>
    option.startsWith("--") ? gitOptions.has(option.split("=")[0] ?? "") : !option.includes("O"),
  )
}
