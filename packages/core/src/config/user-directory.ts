import { join } from "node:path"

/** Where the user's own configuration lies: `~/.config/docket`. */
export function userConfigDirectory({ env, home }: { env: Record<string, string | undefined>; home: string }): string {
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "docket")
}
