import { otherPrograms } from "@docket/compat"
import { loadConfig } from "@docket/core/load-config"

interface Places {
  home: string
  env: Record<string, string | undefined>
  /** What `--config` was given. */
  config: readonly string[]
}

/** What the user's own docket.json says of accounts; undefined when it says nothing. No project's file is read. */
export async function configuredAuth({ home, env, config }: Places): Promise<"team" | "local" | undefined> {
  const own = await loadConfig({
    home,
    env,
    commandLine: config,
    programs: otherPrograms,
    project: null,
    trustedIn: async () => [],
  })
  return own.config.auth
}
