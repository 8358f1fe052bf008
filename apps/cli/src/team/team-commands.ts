import { homedir } from "node:os"
import path from "node:path"
import type { Command } from "commander"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { initTeam } from "./init-team.ts"

/** `docket team …`: the accounts of a service that several people use. */
export function addTeamCommands(unwritten: AbortSignal, program: Command): void {
  const team = program.command("team").description("let several people use Docket, each with an account")
  team
    .command("init")
    .description("set the data directory up for a team, and print the link for the first owner")
    .option("--url <url>", "where people reach Docket, as https://docket.example.org")
    .option("--data <directory>", "data directory", path.join(homedir(), ".docket"))
    .action((options: { url?: string; data: string }) => finish(unwritten, init(options)))
}

async function init({ data, url }: { url?: string; data: string }): Promise<number> {
  process.stdout.write(`${await initTeam(path.resolve(data), url)}\n`)
  return exitCode.done
}
