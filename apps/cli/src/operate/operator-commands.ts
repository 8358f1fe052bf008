import path from "node:path"
import type { Command } from "commander"
import { finish } from "../finish.ts"
import { operate } from "./operate.ts"
import { ownData } from "./own-data.ts"

interface Common {
  data?: string
  json?: true
}

/** `docket backup`, `restore`, `to-postgres` and `db check`: for the administrator, on the machine of the service. */
export function addOperatorCommands(unwritten: AbortSignal, program: Command): void {
  const add = (name: string, description: string, parent = program) =>
    parent
      .command(name)
      .description(description)
      .option("--data <directory>", "data directory of this machine (default: DOCKET_DATA, or ~/.docket)")
      .option("--json", "say in JSON what came of it")
  const common = async (options: Common) => ({ data: await ownData(options), json: options.json === true })

  add("backup", "write all that the service keeps into one file; it may run meanwhile")
    .argument("<file>", "a file that is not there yet")
    .option("--with-keys", "take along keys of providers, tokens, sign-ins and the secrets of the team")
    .action((file: string, options: Common & { withKeys?: true }) => {
      const withKeys = options.withKeys === true
      const backUp = async () =>
        await operate({ kind: "backup", file: path.resolve(file), withKeys, ...(await common(options)) })
      return finish(unwritten, backUp())
    })

  add("restore", "put a backup into an empty data directory, and into the database of DATABASE_URL where it is set")
    .argument("<file>")
    .option("--replace", "take the place of what is there, which is kept beside it")
    .option(
      "--to-file",
      "into docket.db of the data directory, whatever DATABASE_URL says and where PostgreSQL counted",
    )
    .action((file: string, options: Common & { replace?: true; toFile?: true }) => {
      const [replace, toFile] = [options.replace === true, options.toFile === true]
      const restore = async () =>
        await operate({ kind: "restore", file: path.resolve(file), replace, toFile, ...(await common(options)) })
      return finish(unwritten, restore())
    })

  add("to-postgres", "copy the database file into an empty PostgreSQL database; the service has to be stopped")
    .argument("[url]", "postgres://user:password@host/name, unless DATABASE_URL names it, which nobody else can read")
    .action((url: string | undefined, options: Common) => {
      const move = async () => await operate({ kind: "to-postgres", url: url ?? null, ...(await common(options)) })
      return finish(unwritten, move())
    })

  add("to-nodes", "make a service of one process ready for several nodes on PostgreSQL; it has to be stopped")
    .argument("[url]", "postgres://user:password@host/name, unless DATABASE_URL names it, which nobody else can read")
    .option("--storage <name>", "the storage that has the directories of the projects, for workers with the same name")
    .action((url: string | undefined, options: Common & { storage?: string }) => {
      const { storage = null } = options
      const move = async () =>
        await operate({ kind: "to-nodes", url: url ?? null, storage, ...(await common(options)) })
      return finish(unwritten, move())
    })

  const database = program.command("db").description("the database of this machine's service")
  add(
    "check",
    "read all that the database holds, and say whether it is whole; the service may run meanwhile",
    database,
  ).action((options: Common) => {
    const check = async () => await operate({ kind: "check", ...(await common(options)) })
    return finish(unwritten, check())
  })
}
