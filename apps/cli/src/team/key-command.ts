import type { DocketClient } from "@docket/client"
import { Role } from "@docket/core/schema"
import { type Command, Option } from "commander"
import { finish } from "../finish.ts"
import { readCount } from "../read-count.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { UsageError } from "../usage-error.ts"
import { readNames } from "./key-scope.ts"
import { createKey, listKeys, revokeKey } from "./keys.ts"

interface KeyOptions {
  create?: string
  role?: Role
  days?: number
  only?: string[]
  perMinute?: number
  revoke?: string
}

/** `docket team keys`: API keys for programs. */
export function addKeyCommand(unwritten: AbortSignal, team: Command): void {
  addServiceOptions(team.command("keys"))
    .description("list the keys of programs; --create makes one, --revoke ends one")
    .addOption(new Option("--create <name>", "make a key of this name, and print it once").conflicts("revoke"))
    .addOption(new Option("--role <role>", "what the new key may do: at most what you may").choices(Role.options))
    .option("--days <number>", "how long the new key works; until it is revoked when left out", readCount)
    .option("--only <names>", "what the new key may do of that, such as read,prompt; all when left out", readNames)
    .option(
      "--per-minute <number>",
      "calls that the new key may make in a minute; those of any key when left out",
      readCount,
    )
    .option("--revoke <id>", "end the key with this id")
    .action(({ create, role, days, only, perMinute, revoke, ...options }: ServiceOptions & KeyOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          if (create === undefined && [role, days, only, perMinute].some((value) => value !== undefined))
            throw new UsageError("--role, --days, --only and --per-minute are for a new key: name it with --create")
          const lines =
            create === undefined
              ? await listOrRevoke(client.team, revoke)
              : await createKey(client, { name: create, role: role ?? "member", days, only, perMinute })
          for (const line of lines) process.stdout.write(`${line}\n`)
        }),
      ),
    )
}

async function listOrRevoke(api: DocketClient["team"], revoke: string | undefined): Promise<string[]> {
  return revoke === undefined ? listKeys(api) : [await revokeKey(api, revoke)]
}
