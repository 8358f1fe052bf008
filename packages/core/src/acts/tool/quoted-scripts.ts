import { builtinWords, namesSetBy, steers } from "./set-names.ts"
import { programName, type ShellCommand, type ShellWord, wordSet } from "./shell-command.ts"
import { wrapperUsages } from "./wrapper-options.ts"

/** Read an argument as the name of a variable, whose index is run through the shell: `test -v 'a[$(rm x)]'`. */
const evaluators = wordSet(
  "[ declare export getopts let local mapfile printf read readarray readonly test typeset unset wait",
)
/** Have a script as an argument that runs later. */
const completers = wordSet("bind compgen complete")
/** Make a name stand for another variable, or its value be calculated. */
const attributes = wordSet("declare local typeset")
const substitution = /\$\(|`/
const quotedSubstitution = /'[^']*(?:\$\(|`)/

/**
 * Whether a command can run what its words do not name: quoted text that the shell evaluates all the same (a
 * substitution in what names a variable, or in the value of one), a script for completion, a variable by which programs
 * are found, a program that an option of git starts.
 */
export function holdsScript({ words, assignments }: ShellCommand): boolean {
  if (assignments.some((text) => quotedSubstitution.test(text)) || words.length === 0)
    return assignments.some((text) => quotedSubstitution.test(text))
  const names = namesSetBy(words)
  if (names.some((name) => name === null || steers(name))) return !isSafeExport(words, names)
  const [name, ...args] = builtinWords(words)
  if (name === undefined) return false
  if (completers.has(name.value)) return args.some(({ value }) => /^-[a-zA-Z]*[CFWx]/.test(value))
  if (name.value === "fc" || (name.value === "jobs" && args.some(({ value }) => /^-\w*x/.test(value)))) return true
  if (attributes.has(name.value) && args.some(({ value }) => /^-\w*[in]/.test(value))) return true
  if (Object.hasOwn(wrapperUsages, words[0]?.value ?? "") && args.some(steersByWord)) return true
  if (steersByWord(name)) return true
  if ((name.value === "test" || name.value === "[") && testsVariable(args)) return true
  // An assignment among the arguments stands there as it is written, with its quotes.
  const evaluated = args.some(({ value, literal }) => (literal ? substitution : quotedSubstitution).test(value))
  return (evaluators.has(name.value) && evaluated) || runsOwnProgram(words)
}

/** `export PAGER=cat` and its like. */
function isSafeExport(words: readonly ShellWord[], names: readonly (string | null)[]): boolean {
  const assigned = words.flatMap(({ value }) => {
    const [, name, text] = /^(\w+)=(.*)$/s.exec(value) ?? []
    return name === undefined ? [] : [[name, text] as const]
  })
  return assigned.length === names.length && assigned.every(([name, text]) => !steers(name, text))
}

/** `PATH=.` as an argument, as `env` and `sudo` take it. */
function steersByWord({ value }: ShellWord): boolean {
  const [, name = "", text] = /^(\w+)=(.*)$/s.exec(value) ?? []
  return steers(name, text)
}

/** `test -v` of what is no plain name; an index in it is evaluated. */
function testsVariable(args: readonly ShellWord[]): boolean {
  return args.some(({ value }, at) => {
    const tested = args[at + 1]
    return /^-[vR]$/.test(value) && tested !== undefined && !(tested.literal && /^\w+(?:\[\d+\])?$/.test(tested.value))
  })
}

/** Options that name a program, or a file that is overwritten. Source: git's manual. */
const naming = wordSet(
  "config exec extcmd open-files-in-pager output receive-pack server-option template to-cmd upload-archive upload-pack",
)
/** Letters that do, of the sub-commands that have them. */
const letters: Readonly<Record<string, RegExp>> = {
  clone: /^-[a-z]*[cu]/,
  difftool: /^-[a-z]*x/,
  grep: /^-[a-zA-Z\d]*O/,
  rebase: /^-[a-z]*x/,
}

/** Whether an option of a git command starts a program, or has its output written over a file. */
function runsOwnProgram(words: readonly ShellWord[]): boolean {
  const [first, ...rest] = words
  if (first === undefined || programName(first) !== "git") return false
  const end = rest.findIndex(({ value }) => value === "--")
  const args = end < 0 ? rest : rest.slice(0, end)
  const short = args.flatMap(({ value }) => (Object.hasOwn(letters, value) ? [letters[value]] : []))
  return args.some(({ value }) => {
    if (!value.startsWith("--")) return short.some((pattern) => pattern?.test(value))
    const [option = ""] = value.slice(2).split("=")
    // git takes any beginning of an option that is the only one with it.
    return option.length > 1 && [...naming].some((name) => name.startsWith(option))
  })
}
