/**
 * Variables by which a shell or a program finds what it runs, loads or evaluates. Source: bash(1), ld.so(8), git(1),
 * less(1) and the manuals of the interpreters.
 */
const steering = new RegExp(
  `^(?:${[
    "PATH|CDPATH|HOME|XDG_CONFIG_HOME|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|EXECIGNORE|GLOBIGNORE",
    String.raw`BASH_\w+|LD_\w+|DYLD_\w+|GIT_\w+|GCONV_PATH|SSH_ASKPASS|SUDO_ASKPASS|RSYNC_RSH|TAR_OPTIONS`,
    "LESS|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|PAGER|MANPAGER|MANOPT|BROWSER",
    String.raw`NODE_OPTIONS|NODE_PATH|npm_config_\w+|PYTHON\w*|PERL5\w+|PERLLIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|RUSTC_WRAPPER`,
  ].join("|")})$`,
)
/** Of git's, those that only name a person or a time, or keep it from asking. */
const plain = /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT|OPTIONAL_LOCKS)$/
const showers = /^(?:(?:GIT_|MAN)?PAGER|(?:GIT_)?EDITOR|VISUAL)$/

/** Whether setting this variable can change what a later command runs; `value` where it is known. */
export function steers(name: string, value?: string): boolean {
  if (!steering.test(name) || plain.test(name)) return false
  return !(showers.test(name) && value !== undefined && /^(?:cat|true|:|)$/.test(value))
}
