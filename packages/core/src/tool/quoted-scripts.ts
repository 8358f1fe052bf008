import type { ShellCommand } from "./command-analysis.ts"

/** Read an argument as the name of a variable, whose index is run through the shell: `test -v 'a[$(rm x)]'`. */
const evaluators: ReadonlySet<string> = new Set(
  "[ declare export getopts let local mapfile printf read readarray readonly test typeset unset wait".split(" "),
)
/** Have a script as an argument that runs later. */
const completers: ReadonlySet<string> = new Set(["bind", "compgen", "complete"])
const substitution = /\$\(|`/
const quotedSubstitution = /'[^']*(?:\$\(|`)/

/**
 * Whether quoted text of a command is run by the shell all the same: a substitution in what names a variable, in the
 * value of one (`PS4`, or a number that is calculated with), or a script for completion.
 */
export function holdsScript({ words, assignments }: ShellCommand): boolean {
  const [name, ...args] = words
  const quoted = assignments.some((text) => quotedSubstitution.test(text))
  if (quoted || name === undefined) return quoted
  if (completers.has(name.value)) return args.some(({ value }) => /^-[a-zA-Z]*[Cx]/.test(value))
  // An assignment among the arguments stands there as it is written, with its quotes.
  const evaluated = args.some(({ value, literal }) => (literal ? substitution : quotedSubstitution).test(value))
  return evaluators.has(name.value) && evaluated
}
