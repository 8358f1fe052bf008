/** What failing commands say when the sandbox kept something from them, and what that means. */
const signs: readonly { said: RegExp; means: string }[] = [
  {
    said: /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED)\b|could not resolve (?:host|proxy)|temporary failure in name resolution|name or service not known|network is unreachable|failed to connect|couldn't connect|connection refused|no route to host/i,
    means:
      "it has no network but the hosts that the user allows, and reaches no service of this machine that the command did not start itself",
  },
  {
    said: /read-only file system|\bEROFS\b/i,
    means: "only the project, $HOME and /tmp can be changed",
  },
  {
    said: /could not (?:write|lock) config file|device or resource busy|\bEBUSY\b/i,
    means:
      "git's settings and hooks, start files of shells and configuration that is there (.docket, docket.json, .vscode, .idea, .envrc, .mcp.json) can only be read by commands",
  },
  {
    said: /permission denied|\bEACCES\b|\bEPERM\b|operation not permitted/i,
    means: "it has no rights of root, and some files are closed",
  },
  {
    said: /no such file or directory|\bENOENT\b|command not found|could not read (?:username|password)|publickey|host key verification/i,
    means:
      "of the home directory, of other projects and of /tmp it sees nothing of the machine: $HOME and /tmp are private to this project's commands, and keys, tokens and sign-ins are not there",
  },
]

/** Why a failed command may have failed in the sandbox, for the model; null where nothing speaks for it. */
export function sandboxNote(
  output: string,
  { mayLeave, refused }: { mayLeave: boolean; refused: readonly string[] },
): string | null {
  const found = signs.flatMap((sign) => (sign.said.test(output) ? [sign.means] : []))
  const means = [...(refused.length > 0 ? [`these hosts were refused: ${refused.join(", ")}`] : []), ...found]
  if (means.length === 0) return null
  const way = mayLeave
    ? " If that is the cause and the task needs it, call again with outside_sandbox set to the reason: the user is asked."
    : " No command runs outside it here: tell the user what is needed."
  return `[sandbox: the command ran in a sandbox, where ${means.join("; ")}.${way}]`
}
