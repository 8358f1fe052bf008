/**
 * Variables that programs in a sandbox do not get, besides the secrets that no command gets: what makes programs load or
 * run something else, and where services of this machine listen. Source: ld.so(8), bash(1), git(1), the manuals of the
 * interpreters, the XDG base directory specification.
 */
const leftOut = new RegExp(
  `^(?:${[
    String.raw`LD_\w+|DYLD_\w+|GCONV_PATH|MALLOC_\w+|GIT_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|CDPATH`,
    String.raw`NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|PYTHON(?:PATH|HOME|STARTUP|INSPECT)|PERL5\w*|PERLLIB|RUBYOPT|RUBYLIB`,
    String.raw`JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|RUSTC_WRAPPER|npm_config_\w+|NPM_CONFIG_\w+`,
    String.raw`XDG_\w+|TMPDIR|TMP|TEMP|HOME|PWD|OLDPWD|SSH_\w+|GPG_\w+|GNUPGHOME|DBUS_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY`,
    String.raw`DOCKER_\w+|CONTAINER_HOST|KUBE\w+|AWS_\w+|AZURE_\w+|GOOGLE_\w+|CLOUDSDK_\w+|PG\w+|NETRC|(?:https?|ftp|all|no|grpc)_proxy`,
  ].join("|")})$`,
  "i",
)
/** Of git's, those with which Docket keeps it from waiting for a person. */
const kept = /^GIT_(?:PAGER|EDITOR|TERMINAL_PROMPT)$/

/** The environment of a program in a sandbox. `named` is what the user wants in it. */
export function sandboxEnv(
  env: Readonly<Record<string, string>>,
  { home, named }: { home: string; named: readonly string[] },
): Record<string, string> {
  const passed = Object.entries(env).filter(([name]) => named.includes(name) || kept.test(name) || !leftOut.test(name))
  return { ...Object.fromEntries(passed), HOME: home, TMPDIR: "/tmp" }
}
