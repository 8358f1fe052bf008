import type { Command } from "commander"
import { finish } from "../finish.ts"
import { type Operation, operate } from "../operate/operate.ts"
import { ownData } from "../operate/own-data.ts"
import { UsageError } from "../usage-error.ts"

interface Common {
  data?: string
  json?: true
}

type Asked = Operation extends infer One ? (One extends Operation ? Omit<One, "data" | "json"> : never) : never

/** `docket secrets …`: for the administrator, on a machine of the service. No command prints a secret. */
export function addSecretCommands(unwritten: AbortSignal, program: Command): void {
  const secrets = program.command("secrets").description("what is secret in the database and the data directory")
  const run = (options: Common, asked: () => Asked) => {
    const work = async () =>
      await operate({ ...asked(), data: await ownData(options), json: options.json === true } as Operation)
    return finish(unwritten, work())
  }
  const add = (name: string, description: string, isDefault = false) =>
    secrets
      .command(name, { isDefault })
      .description(description)
      .option("--data <directory>", "data directory of this machine (default: DOCKET_DATA, or ~/.docket)")
      .option("--json", "say in JSON what came of it")

  add("list", "list kinds and names, never values; the service may run meanwhile", true).action((options: Common) =>
    run(options, () => ({ kind: "secrets" })),
  )
  add(
    "rotate",
    "seal all with the key in DOCKET_SECRET_KEY_NEW in place of DOCKET_SECRET_KEY; all nodes have to be stopped",
  ).action((options: Common) => run(options, () => ({ kind: "rotate-secrets" })))
  add("import", "move secrets in files of the data directory to the database; all nodes have to be stopped")
    .option("--replace", "where both have one, that of the files counts")
    .option("--keep", "where both have one, that of the database counts")
    .action((options: Common & { replace?: true; keep?: true }) =>
      run(options, () => {
        if (options.replace === options.keep)
          throw new UsageError("say which count where files and database differ: --replace or --keep")
        return { kind: "import-secrets", wins: options.replace ? "files" : "rows" }
      }),
    )
  add("remove", "remove a secret that does not open any more; all nodes have to be stopped")
    .argument("[kind]", "as docket secrets lists it")
    .argument("[name]", "empty for the only one of its kind", "")
    .option("--workspace <id>", "the workspace that has it; without it, the service itself")
    .option("--all", "all of them, when the key is lost")
    .action((kind: string | undefined, name: string, options: Common & { workspace?: string; all?: true }) =>
      run(options, () => {
        if ((kind === undefined) !== (options.all === true))
          throw new UsageError("name the kind and name of a secret, or --all")
        const workspace = options.workspace ?? null
        return { kind: "remove-secrets", which: kind === undefined ? null : { kind, name, workspace } }
      }),
    )
}
