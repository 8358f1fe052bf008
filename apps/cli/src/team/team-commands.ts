import type { DocketClient } from "@docket/client"
import { Role } from "@docket/core/schema"
import { Argument, type Command, Option } from "commander"
import { addAuditCommand } from "../audit/audit-command.ts"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { operate } from "../operate/operate.ts"
import { ownData } from "../operate/own-data.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { initTeam } from "./init-team.ts"
import { addKeyCommand } from "./key-command.ts"
import { invite, listFormer, listMembers, makeResetLink, remove, setRole, showFormer } from "./team.ts"
import { addWebhookCommands } from "./webhook-commands.ts"
import { addTeamOperatorCommands, addWorkspaceCommands } from "./workspace-commands.ts"

/** `docket team …`: the accounts of a service that several people use. */
export function addTeamCommands(unwritten: AbortSignal, program: Command): void {
  const team = program.command("team").description("let several people use Docket, each with an account")
  const say = (
    options: ServiceOptions,
    work: (api: DocketClient["team"], client: DocketClient) => Promise<string | string[]>,
  ) =>
    finish(
      unwritten,
      withService(options, async ({ client }) => {
        for (const line of [await work(client.team, client)].flat()) process.stdout.write(`${line}\n`)
      }),
    )
  addWorkspaceCommands(unwritten, team)
  addTeamOperatorCommands(unwritten, team)
  const add = (name: string, description: string) => addServiceOptions(team.command(name)).description(description)
  team
    .command("init")
    .description("set the data directory up for a team, and print the link for the first owner")
    .option("--url <url>", "where people reach Docket, as https://docket.example.org")
    .option("--data <directory>", "data directory of this machine (default: DOCKET_DATA, or ~/.docket)")
    .action((options: { url?: string; data?: string }) => finish(unwritten, init(options)))
  team
    .command("adopt")
    .description("make what was done before there were accounts the owner's; the service has to be stopped")
    .option("--as <email>", "the owner to whom it goes, where there are several")
    .option("--data <directory>", "data directory of this machine (default: DOCKET_DATA, or ~/.docket)")
    .option("--json", "say in JSON what came of it")
    .action((options: { as?: string; data?: string; json?: true }) => {
      const { as: email = null, json } = options
      const adopt = async () =>
        await operate({ kind: "adopt", email, data: await ownData(options), json: json === true })
      return finish(unwritten, adopt())
    })
  add("members", "list who belongs to the workspace, and who is invited").action((options: ServiceOptions) =>
    say(options, listMembers),
  )
  add("invite", "print a link that brings a person into the workspace")
    .argument("<email>")
    .addOption(new Option("--role <role>", "what they are there").choices(Role.options).default("member"))
    .action((email: string, options: ServiceOptions & { role: Role }) =>
      say(options, (api) => invite(api, email, options.role)),
    )
  add("remove", "end a membership, or take an invitation back")
    .argument("<email>")
    .action((email: string, options: ServiceOptions) => say(options, (api) => remove(api, email)))
  add("role", "choose what a member is")
    .argument("<email>")
    .addArgument(new Argument("<role>").choices(Role.options))
    .action((email: string, role: Role, options: ServiceOptions) => say(options, (api) => setRole(api, email, role)))
  add("reset", "print a link with which a member chooses a new password")
    .argument("<email>")
    .action((email: string, options: ServiceOptions) => say(options, (api) => makeResetLink(api, email)))
  add("former", "list who is gone and left sessions that nobody sees; --show lets the workspace see them")
    .option("--show <id>", "show the sessions of the person with this id")
    .action((options: ServiceOptions & { show?: string }) =>
      say(options, (api) => (options.show === undefined ? listFormer(api) : showFormer(api, options.show))),
    )
  addAuditCommand(unwritten, team)
  addKeyCommand(unwritten, team)
  addWebhookCommands(unwritten, team)
}

async function init(options: { url?: string; data?: string }): Promise<number> {
  process.stdout.write(`${await initTeam(await ownData(options), options.url)}\n`)
  return exitCode.done
}
