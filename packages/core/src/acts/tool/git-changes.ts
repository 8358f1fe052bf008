import { baseName, type CommandChanges } from "./command-changes.ts"
import { commandOptions } from "./command-options.ts"
import type { ShellWord } from "./shell-command.ts"

/** Options of git itself before the sub-command, with a value in the next word. */
const globalValues = ["git-dir", "work-tree", "namespace", "exec-path", "config-env", "super-prefix"]

/** Read the repository only, or keep what they change inside of it. */
const quiet: ReadonlySet<string> = new Set([
  ..."add annotate blame cat-file check-ignore commit count-objects describe diff for-each-ref grep help log".split(
    " ",
  ),
  ..."ls-files ls-remote ls-tree merge-base name-rev notes reflog rev-list rev-parse shortlog show status".split(" "),
  ..."tag var verify-commit version whatchanged".split(" "),
])
const changeTracked: ReadonlySet<string> = new Set("am apply bisect cherry-pick merge rebase revert".split(" "))

/** What a git command changes, of the worktree and elsewhere. Source: git's manual. */
export function gitChanges(args: readonly ShellWord[]): CommandChanges {
  const [name, rest] = subcommand(args)
  if (name === null) return {}
  if (!name.literal) return { unknown: true }
  const command = `git ${name.value}`
  const marked = rest.findIndex(({ value }) => value === "--")
  const options = commandOptions(rest, { values: "bBCcemtu", longValues: ["source", "message", "branch", "depth"] })
  const { operands } = options
  const named = operands.map(({ value }) => value).join(" ")
  switch (name.value) {
    case "checkout":
      if (marked >= 0)
        return { writes: rest.slice(marked + 1), notes: [`${command} --: changes of these files are lost`] }
      if (operands.length === 0)
        return options.has("f", "force") ? { notes: [`${command} -f: changes of tracked files are lost`] } : {}
      return { notes: [`${command}: brings tracked files to ${named}, or ${named} back`] }
    case "restore":
      if (options.has("S", "staged") && !rest.some(({ value }) => /^-\w*W|^--w/.test(value))) return {}
      return { writes: operands, notes: [`${command}: changes of these files are lost`] }
    case "switch":
      return { notes: [`${command}: brings tracked files to ${named}`] }
    case "reset":
      return resetBy(rest)
    case "clean":
      return options.has("n", "dry-run") ? {} : cleaned(options.has("d"), options.has("x", "X"), operands)
    case "stash":
      return stashed(operands[0]?.value ?? "push")
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
      if (quiet.has(name.value)) return { writes: options.of("output") }
      return changeTracked.has(name.value) ? { notes: [`${command}: changes tracked files`] } : { unknown: true }
  }
}

/** The sub-command behind git's own options, and its arguments. */
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

function resetBy(args: readonly ShellWord[]): CommandChanges {
  const way = args.find(({ value }) => /^--(?:hard|merge|keep)$/.test(value))?.value
  return way === undefined
    ? { notes: ["git reset: moves the branch or what is staged; files stay"] }
    : { notes: [`git reset ${way}: changes of tracked files are lost`] }
}

function cleaned(directories: boolean, ignored: boolean, paths: ShellWord[]): CommandChanges {
  const what = `untracked files${directories ? " and directories" : ""}${ignored ? ", ignored ones too" : ""}`
  return { removes: paths, notes: [`git clean: removes ${what}`] }
}

function stashed(how: string): CommandChanges {
  if (how === "list" || how === "show") return {}
  if (how === "drop" || how === "clear") return { notes: [`git stash ${how}: what was put away is lost`] }
  return how === "pop" || how === "apply" || how === "branch"
    ? { notes: [`git stash ${how}: changes tracked files`] }
    : { notes: ["git stash: puts changes of tracked files away"] }
}
