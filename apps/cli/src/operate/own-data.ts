import { hostname } from "node:os"
import { env } from "../env.ts"
import { storedSignIns } from "../remote/stored-sign-ins.ts"
import { dataOf } from "../service-options.ts"
import { UsageError } from "../usage-error.ts"

/**
 * The absolute data directory on this machine that a command changes directly; printed on stderr. If commands go to a
 * remote server by default, the user must choose this machine with `--data` or DOCKET_DATA. @throws UsageError
 */
export async function ownData({ data }: { data?: string | undefined }): Promise<string> {
  const own = dataOf({ data })
  const remote = data === undefined && !env.DOCKET_DATA ? await storedSignIns(own).last() : null
  if (remote !== null)
    throw new UsageError(
      `commands are for ${remote.url} since docket login, and this one works on the files of the machine that it runs on. Run it there, or for this machine (${hostname()}) name its data directory: --data ${own}`,
    )
  process.stderr.write(`docket: on this machine (${hostname()}), in ${own}\n`)
  return own
}
