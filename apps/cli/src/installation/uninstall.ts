import { UsageError } from "../usage-error.ts"
import type { Installation } from "./find-installation.ts"
import { placeOf, type UpgradeDeps } from "./upgrade.ts"

export interface UninstallRequest {
  installation: Installation
  /** Absolute. */
  data: string
}

/**
 * Removes the program. Data stays.
 * @returns the exit code
 * @throws UsageError
 */
export async function uninstall(
  deps: Pick<UpgradeDeps, "runningService" | "npm" | "say">,
  { installation, data }: UninstallRequest,
): Promise<number> {
  if (installation.kind === "checkout")
    throw new UsageError(`this Docket runs from a checkout: remove ${installation.root}. Its data is in ${data}.`)
  if (installation.kind === "npx")
    throw new UsageError(`npx fetched this Docket for one call: nothing is installed. Its data is in ${data}.`)
  const { args, directory } = placeOf(installation)
  const running = await deps.runningService(data)
  if (running !== null) throw new UsageError(`Docket runs at ${running}. Stop it first.`)
  const code = await deps.npm(["uninstall", ...args, "docket"], directory)
  if (code !== 0) throw new UsageError("npm could not remove it; what it printed says why.")
  deps.say(`Docket is removed. Sessions, keys and settings stay in ${data} and ~/.config/docket until you remove them.`)
  return 0
}
