import { builtinWords, namesSetBy, steers } from "./set-names.ts"
import { programName, type ShellCommand, type ShellWord, wordSet } from "./shell-command.ts"
import { wrapperUsages } from "./wrapper-options.ts"

/** These read an argument as a variable name and evaluate its index: `test -v 'a[$(rm x)]'`. */
const evaluators = wordSet(
  "[ declare export getopts let local mapfile printf read readarray readonly test typeset unset wait",
)
/** These take a script as argument that runs later. */
const completers = wordSet("bind compgen complete")
/** These can make a name refer to another variable, or have its value calculated. */
const attributes = wordSet("declare local typeset")
const substitution = /\$\(|`/
const quotedSubstitution = /'[^']*(?:\$\(|`)/

/**
 * Whether a command can run something that its words do not name: quoted text that the shell evaluates anyway (a
 * substitution in a variable's name or value), a completion script, a variable that decides which program is found, or
 * a program started by an option of git.
 */
export function holdsScript({ words, assignments }: ShellCommand): boolean {
  const isQuoted = assignments.some((text) => quotedSubstitution.test(text))
  if (isQuoted || words.length === 0) return isQuoted
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
  // The words of an assignment among the arguments still have their quotes.
  const evaluated = args.some(({ value, literal }) => (literal ? substitution : quotedSubstitution).test(value))
  return (evaluators.has(name.value) && evaluated) || runsOwnProgram(words)
}

/** Whether the command is like `export PAGER=cat`. */
function isSafeExport(words: readonly ShellWord[], names: readonly (string | null)[]): boolean {
  const assigned = words.flatMap(({ value }) => {
    const [, name, text] = /^(\w+)=(.*)$/s.exec(value) ?? []
    return name === undefined ? [] : [[name, text] as const]
  })
  return assigned.length === names.length && assigned.every(([name, text]) => !steers(name, text))
}

/** A word like `PATH=.`, as `env` and `sudo` take it. */
function steersByWord({ value }: ShellWord): boolean {
  const [, name = "", text] = /^(\w+)=(.*)$/s.exec(value) ?? []
  return steers(name, text)
}

/** Whether `test -v` checks anything but a plain name; an index in it is evaluated. */
function testsVariable(args: readonly ShellWord[]): boolean {
  return args.some(({ value }, at) => {
    const tested = args[at + 1]
    return /^-[vR]$/.test(value) && tested !== undefined && !(tested.literal && /^\w+(?:\[\d+\])?$/.test(tested.value))
  })
}

/** git options that name a program, or a file that is overwritten. Source: git's manual. */
const namingOptions = wordSet(
  "config exec extcmd open-files-in-pager output receive-pack server-option template to-cmd upload-archive upload-pack",
)
/** Short options with that effect, by sub-command. */
const namingLetters: Readonly<Record<string, RegExp>> = {
  clone: /^-[a-z]*[cu]/,
  difftool: /^-[a-z]*x/,
  grep: /^-[a-zA-Z\d]*O/,
  rebase: /^-[a-z]*x/,
}

/** Whether an option of a git command starts a program or overwrites a file with output. */
function runsOwnProgram(words: readonly ShellWord[]): boolean {
  const [first, ...rest] = words
  if (first === undefined || programName(first) !== "git") return false
  const end = rest.findIndex(({ value }) => value === "--")
  const args = end < 0 ? rest : rest.slice(0, end)
  const short = args.flatMap(({ value }) => (Object.hasOwn(namingLetters, value) ? [namingLetters[value]] : []))
  return args.some(({ value }) => {
    if (!value.startsWith("--")) return short.some((pattern) => pattern?.test(value))
    const [option = ""] = value.slice(2).split("=")
    // git accepts any unambiguous beginning of a long option.
    return option.length > 1 && [...namingOptions].some((name) => name.startsWith(option))
  })
}
