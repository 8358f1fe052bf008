import type { Command } from "commander"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { createTerminalConfirm } from "./confirm-removal.ts"
import { listTenants, removeTenant } from "./tenants.ts"

/** `docket tenant list` and `remove`. A tenant is created with its first token. */
export function addTenantCommands(unwritten: AbortSignal, program: Command): void {
  const tenants = program.command("tenant").description("who keeps todos, memory and schedules here")

  addServiceOptions(tenants.command("list"))
    .description("list the tenants and count what each owns")
    .action((options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          for (const line of await listTenants(service)) process.stdout.write(`${line}\n`)
        }),
      ),
    )

  addServiceOptions(tenants.command("remove"))
    .description("remove a tenant with everything it owns, its tokens included; this cannot be undone")
    .argument("<name>", "as docket tenant list shows it")
    .option("--yes", "do not ask")
    .action((name: string, options: ServiceOptions & { yes?: boolean }) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          const confirm = options.yes ? async () => true : createTerminalConfirm(process.stdin, process.stderr)
          process.stdout.write(`${await removeTenant(service, name, confirm)}\n`)
        }),
      ),
    )
}
