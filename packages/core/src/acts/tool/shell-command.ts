/** One simple command of a script, with quotes and escapes resolved. */
export interface ShellCommand {
  /** Name and arguments. */
  words: ShellWord[]
  /** `NAME=value` before it, as written. */
  assignments: string[]
  /** Files that it opens for writing or reading; `null` when the target is computed at run time. */
  writes: (string | null)[]
  reads: string[]
  /** No command of its own, but a place at which the shell may run text that is only made when it runs. */
  evaluates?: string
}

export interface ShellWord {
  value: string
  /** Known before the command runs: no expansion in it. */
  literal: boolean
  /** Starts with an unquoted `~`, which the shell replaces. */
  tilde: boolean
}
