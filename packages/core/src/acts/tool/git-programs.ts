import type { ShellWord } from "./shell-command.ts"

/** Options that name a program, or a file that is overwritten. Source: git's manual. */
const naming =
  "config exec extcmd open-files-in-pager output receive-pack server-option template to-cmd upload-archive upload-pack".split(
    " ",
  )
/** Letters that do, of the sub-commands that have them. */
const letters: Readonly<Record<string, RegExp>> = {
  clone: /^-[a-z]*[cu]/,
  difftool: /^-[a-z]*x/,
  grep: /^-[a-zA-Z\d]*O/,
  rebase: /^-[a-z]*x/,
}

/** Whether an option of a git command starts a program, or has its output written over a file. */
export function runsOwnProgram(words: readonly ShellWord[]): boolean {
  const [first, ...rest] = words
  if (first?.value.slice(first.value.lastIndexOf("/") + 1) !== "git") return false
  const end = rest.findIndex(({ value }) => value === "--")
  const args = end < 0 ? rest : rest.slice(0, end)
  const short = args.flatMap(({ value }) => (Object.hasOwn(letters, value) ? [letters[value]] : []))
  return args.some(({ value }) => {
    if (!value.startsWith("--")) return short.some((pattern) => pattern?.test(value))
    const [option = ""] = value.slice(2).split("=")
    // git takes any beginning of an option that is the only one with it.
    return option.length > 1 && naming.some((name) => name.startsWith(option))
  })
}
