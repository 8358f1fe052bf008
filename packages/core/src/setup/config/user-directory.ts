import { isAbsolute, join } from "node:path"

/**
 * Where the user's own configuration lies: `~/.config/docket`. A relative `XDG_CONFIG_HOME`, which would lead into the
 * project, does not count (XDG Base Directory Specification).
 */
export function userConfigDirectory({ env, home }: { env: Record<string, string | undefined>; home: string }): string {
  return join(configHome({ env, home }), "docket")
}

/** The configuration directory of OpenCode, which is read too. */
export function opencodeUserDirectory(from: { env: Record<string, string | undefined>; home: string }): string {
  return join(configHome(from), "opencode")
}

function configHome({ env, home }: { env: Record<string, string | undefined>; home: string }): string {
  const given = env.XDG_CONFIG_HOME ?? ""
  return isAbsolute(given) ? given : join(home, ".config")
}
