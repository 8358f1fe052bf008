import { homedir } from "node:os"
import path from "node:path"
import type { Migration } from "@docket/compat/migrate"
import { type Command, Option } from "commander"
import { env } from "../env.ts"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { UsageError } from "../usage-error.ts"
import { migrationLines } from "./migration-lines.ts"

interface MigrateOptions {
  user?: boolean
  from?: Migration["from"]
  write?: boolean
}

/** `docket migrate`: shows the configuration of OpenCode or Claude Code as a docket.json. Needs no service. */
export function addMigrateCommand(unwritten: AbortSignal, program: Command): void {
  program
    .command("migrate")
    .description("show what OpenCode or Claude Code is set up with as docket.json, and what has no counterpart")
    .argument("[directory]", "the project", ".")
    .option("--user", "your own set-up instead of a project's")
    .addOption(new Option("--from <program>", "which of them, where both are set up").choices(["opencode", "claude"]))
    .option("--write", "write the docket.json; one that is there stays as it is")
    .action((directory: string, options: MigrateOptions) => finish(unwritten, migrate(directory, options)))
}

async function migrate(directory: string, { user, from, write }: MigrateOptions): Promise<number> {
  const { findMigrations, writeMigration } = await import("@docket/compat/migrate")
  const place = user ? null : path.resolve(directory)
  const found = await findMigrations({
    home: homedir(),
    env: { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME },
    directory: place,
  })
  const chosen = found.filter((migration) => from === undefined || migration.from === from)
  const [migration, rival] = chosen
  if (migration === undefined) {
    throw new UsageError(`nothing is set up for ${from ?? "OpenCode or Claude Code"} in ${place ?? "your home"}`)
  }
  if (rival !== undefined && write) throw new UsageError("both are set up here: choose one with --from")
  for (const each of chosen) process.stdout.write(`${migrationLines(each).join("\n")}\n`)
  if (!write) {
    process.stderr.write("nothing was written; --write does it\n")
    return exitCode.done
  }
  await writeMigration(migration)
  const next = user ? "" : "; it counts once you trust it: docket trust"
  process.stderr.write(`wrote ${migration.target}${next}\n`)
  return exitCode.done
}
