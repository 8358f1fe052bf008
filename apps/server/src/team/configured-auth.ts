import { otherPrograms } from "@docket/compat"
import { loadUserConfig } from "@docket/core/load-config"

interface Places {
  home: string
  env: Record<string, string | undefined>
  /** The values of `--config`. */
  config: readonly string[]
}

/** The value of "auth" in the user's own docket.json; undefined when it is not set. No project file is read. */
export async function configuredAuth({ home, env, config }: Places): Promise<"team" | "local" | undefined> {
  const own = await loadUserConfig({ home, env, commandLine: config, programs: otherPrograms })
  return own.config.auth
}
