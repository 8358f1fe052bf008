import { homedir } from "node:os"
import path from "node:path"
import type { Command } from "commander"
import { connect } from "./connect/connect.ts"
import { exitCode } from "./exit-code.ts"

export interface ServiceOptions {
  data: string
  url?: string
  tokenFile?: string
}

/** Adds the options that say which running service a command is for. */
export function addServiceOptions(command: Command): Command {
  return command
    .option("--data <directory>", "data directory; its running service is used", path.join(homedir(), ".docket"))
    .option("--url <url>", "use the service at this address")
    .option("--token-file <file>", "file with the token of --url")
}

/** Connects to the service that the options name, and answers with the exit code. @throws UsageError */
export async function withService(
  { data, url, tokenFile }: ServiceOptions,
  use: (connected: Awaited<ReturnType<typeof connect>>) => Promise<void>,
): Promise<number> {
  await use(await connect({ url, tokenFile, data: path.resolve(data), project: null }))
  return exitCode.done
}
