import { UsageError } from "../usage-error.ts"
import type { Installation } from "./find-installation.ts"
import { placeOf, requireStopped, type UpgradeDeps } from "./upgrade.ts"

export interface UninstallRequest {
  installation: Installation
  /** Directories that stay, absolute. */
  data: string
  config: string
  cache: string
}

/**
 * Removes the program. Data stays.
 * @returns the exit code
 * @throws UsageError
 */
export async function uninstall(
  deps: Pick<UpgradeDeps, "runningService" | "npm" | "say">,
  { installation, data, config, cache }: UninstallRequest,
): Promise<number> {
  if (installation.kind === "checkout")
    throw new UsageError(`this Docket runs from a checkout: remove ${installation.root}. Its data is in ${data}.`)
  if (installation.kind === "npx")
    throw new UsageError(`npx fetched this Docket for one call: nothing is installed. Its data is in ${data}.`)
  const { args, directory } = placeOf(installation)
  await requireStopped(deps, data)
  const code = await deps.npm(["uninstall", ...args, "docket"], directory)
  if (code !== 0) throw new UsageError("npm could not remove it; what it printed says why.")
  deps.say("Docket is removed. These stay until you remove them:")
  deps.say(`  ${data}: sessions and keys`)
  deps.say(`  ${config}: settings`)
  deps.say(`  ${cache}: what can be made again`)
  return 0
}
