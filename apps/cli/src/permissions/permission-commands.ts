import type { Command } from "commander"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { grantLines, revokeGrant } from "./grants.ts"

/** `docket permissions list` and `revoke`: permissions that were answered with "always". */
export function addPermissionCommands(unwritten: AbortSignal, program: Command): void {
  const permissions = program.command("permissions").description("what is always allowed, and taking it back")

  addServiceOptions(permissions.command("list"))
    .description("list what is always allowed: id, where, what, by whom and when, and which session asked")
    .action((options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          for (const line of grantLines(await client.permission.grants.query())) process.stdout.write(`${line}\n`)
        }),
      ),
    )

  addServiceOptions(permissions.command("revoke"))
    .description("take back what is always allowed: it is asked again from now on")
    .argument("<id>", "as docket permissions list shows it")
    .action((id: string, options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          process.stdout.write(`${await revokeGrant(client, id)}\n`)
        }),
      ),
    )
}
