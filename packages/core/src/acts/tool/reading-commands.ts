import type { ShellCommand } from "./shell-command.ts"

/** Change none of the files in their arguments, whatever the options. */
const readers: ReadonlySet<string> = new Set([
  ..."[ basename cat cksum cmp cut diff dirname du echo egrep false fgrep file grep head jq ls md5sum nl od".split(" "),
  ..."printf pwd readlink realpath rg sha1sum sha256sum stat strings tac tail test tr true type wc which".split(" "),
])
/** Of git's commands. */
const readingGit: ReadonlySet<string> = new Set([
  ..."add blame cat-file check-ignore commit describe diff grep log ls-files rev-parse shortlog show status".split(" "),
])

/** Whether a command is known to change no file that it is given. */
export function leavesArgumentsAlone({ words }: ShellCommand): boolean {
  const [name, second] = words
  if (name === undefined) return true
  if (readers.has(name.value)) return true
  return (
    name.value === "git" && readingGit.has(second?.value ?? "") && !words.some(({ value }) => value.startsWith("--out"))
  )
}
