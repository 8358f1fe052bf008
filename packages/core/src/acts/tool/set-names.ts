import { commandOptions } from "./command-options.ts"
import { type ShellWord, wordSet } from "./shell-command.ts"

const declaring = wordSet("declare export local readonly typeset unset")

/** The words from the builtin that finally runs: `builtin command read x` as `read x`. */
export function builtinWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const at = words.findIndex(({ value }) => value !== "builtin" && value !== "command" && value !== "-p")
  return at < 0 ? [] : words.slice(at)
}

/**
 * The variables that a shell builtin sets by its arguments; null for a computed name or subscript. Source: bash(1),
 * SHELL BUILTIN COMMANDS.
 */
export function namesSetBy(words: readonly ShellWord[]): (string | null)[] {
  const [first, ...args] = builtinWords(words)
  return setWords(first?.value ?? "", args).map(nameOf)
}

function setWords(builtin: string, args: readonly ShellWord[]): readonly ShellWord[] {
  if (declaring.has(builtin)) return args.filter(({ value }) => !/^[-+]/.test(value))
  if (builtin === "read") {
    const { operands, of } = commandOptions(args, { values: "adinNptu" })
    return [...operands, ...of("a")]
  }
  if (builtin === "mapfile" || builtin === "readarray") return commandOptions(args, { values: "cCdnOsu" }).operands
  if (builtin === "getopts") return args.slice(1, 2)
  if (builtin === "wait") return commandOptions(args, { values: "p" }).of("p")
  if (builtin !== "printf" || !args[0]?.value.startsWith("-v")) return []
  const [option, next] = args
  return option.value === "-v" ? (next ? [next] : []) : [{ ...option, value: option.value.slice(2) }]
}

function nameOf({ value, literal }: ShellWord): string | null {
  const [, name, rest = ""] = /^([A-Za-z_]\w*)(?:\[\d+\])?(.*)$/s.exec(value) ?? []
  const isWhole = literal ? !rest.startsWith("[") : /^\+?=/.test(rest)
  return name !== undefined && isWhole ? name : null
}

/**
 * Variables that decide what a shell or program runs, loads or evaluates. Source: bash(1), ld.so(8), git(1), less(1)
 * and the manuals of the interpreters.
 */
const steering = new RegExp(
  `^(?:${[
    "PATH|CDPATH|HOME|XDG_CONFIG_HOME|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|EXECIGNORE|GLOBIGNORE",
    String.raw`BASH_\w+|LD_\w+|DYLD_\w+|GIT_\w+|GCONV_PATH|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|TAR_OPTIONS`,
    "LESS|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|PAGER|MANPAGER|MANOPT|BROWSER",
    String.raw`NODE_OPTIONS|NODE_PATH|npm_config_\w+|PYTHON\w*|PERL5\w+|PERLLIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|RUSTC_WRAPPER`,
  ].join("|")})$`,
)
/** git variables that only set a person or a time, or stop git from asking. */
const harmlessGit = /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|OPTIONAL_LOCKS)$/
/** Variables that name a program which shows or edits text. */
const showingPrograms = /^(?:(?:GIT_|MAN)?PAGER|(?:GIT_)?EDITOR|VISUAL)$/

/** Whether setting this variable can change what a later command runs; pass `value` if it is known. */
export function steers(name: string, value?: string): boolean {
  if (!steering.test(name) || harmlessGit.test(name)) return false
  const isHarmless = value !== undefined && /^(?:cat|true|:|)$/.test(value)
  return !(isHarmless && showingPrograms.test(name))
}
