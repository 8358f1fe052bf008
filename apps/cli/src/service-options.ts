import { homedir } from "node:os"
import path from "node:path"
import type { Command } from "commander"
import { type ConnectOptions, connect } from "./connect/connect.ts"
import { env } from "./env.ts"
import { exitCode } from "./exit-code.ts"

export interface ServiceOptions {
  data?: string
  url?: string
  tokenFile?: string
  server?: string
}

/** Adds the options that choose the running service. */
export function addServiceOptions(command: Command): Command {
  return command
    .option("--data <directory>", "data directory; its running service is used (default: DOCKET_DATA, or ~/.docket)")
    .option(
      "--server <url>",
      "a team's server: as docket login signed in, or with a key in DOCKET_KEY; without these options, the last of them",
    )
    .option("--url <url>", "use the service at this address")
    .option("--token-file <file>", "file with the token of --url")
}

const usualData = env.DOCKET_DATA || path.join(homedir(), ".docket")

/** The absolute data directory of a command. */
export function dataOf({ data }: { data?: string | undefined }): string {
  return path.resolve(data ?? usualData)
}

/** Turns the options of a command into those of `connect`. `project`: see `ConnectOptions`. */
export function connectOptions(options: ServiceOptions, project: string | null): ConnectOptions {
  const { data, url, tokenFile, server } = options
  return { url, tokenFile, server, data: dataOf(options), isDataNamed: data !== undefined, project }
}

/** Connects to the service that the options name, runs `use`, and returns the exit code. @throws UsageError */
export async function withService(
  options: ServiceOptions,
  use: (connected: Awaited<ReturnType<typeof connect>>) => Promise<void>,
): Promise<number> {
  await use(await connect(connectOptions(options, null)))
  return exitCode.done
}
