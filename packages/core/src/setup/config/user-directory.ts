import { isAbsolute, join } from "node:path"
import { createGlance, type Glance } from "../../ground/file/glance.ts"

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

/** A look at the directories in which all lies that a user defines for agents: Docket's, and those of other programs. */
export function glanceAtUser(from: { env: Record<string, string | undefined>; home: string }): Glance {
  const directories = [userConfigDirectory(from), opencodeUserDirectory(from), join(from.home, ".claude")]
  return createGlance(directories, { isOwn: true })
}

function configHome({ env, home }: { env: Record<string, string | undefined>; home: string }): string {
  const given = env.XDG_CONFIG_HOME ?? ""
  return isAbsolute(given) ? given : join(home, ".config")
}
