import { type Command, InvalidArgumentError, Option } from "commander"
import { env } from "../env.ts"
import { finish } from "../finish.ts"
import { readSessionID } from "../read-session-id.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { parseExpires } from "./parse-expires.ts"
import { readPassword } from "./read-password.ts"
import { listShares, type ShareWanted, shareSession, unshareSession } from "./shares.ts"

interface ShareFlags {
  redact?: boolean
  passwordFile?: string
}

/** The arguments of a command are visible in the process list and in the shell history. */
function refusePassword(): never {
  throw new InvalidArgumentError(
    "Others would see it in the list of processes. Use --password-file PATH, with - for standard input, or DOCKET_SHARE_PASSWORD.",
  )
}

/** `docket share`, `unshare` and `shares`. */
export function addShareCommands(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("share"))
    .description("make a link to a read-only copy of a session with all that it delegated; it is printed once")
    .argument("<session>", "as docket sessions shows it", readSessionID)
    .option("--frozen", "as it is now, instead of following the work")
    .option("--expires <when>", "12h, 7d or a date; never when left out", (given: string) => parseExpires(given))
    .option("--password-file <path>", "has the password for readers, - for standard input; or DOCKET_SHARE_PASSWORD")
    .addOption(new Option("--password <text>").argParser(refusePassword).hideHelp())
    .option("--title <text>", "in the place of the session's")
    .option("--workspace", "only for people who are signed in here")
    .option("--pictures", "show pictures and PDFs too, which no scan for secrets can read")
    .option("--redact", "hide what looks secret, which is the default")
    .option("--accept-findings", "show what looks secret as it is")
    .action((session: string, { redact, passwordFile, ...options }: ServiceOptions & ShareWanted & ShareFlags) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const acceptFindings = options.acceptFindings === true && redact !== true
          const password = await readPassword({
            file: passwordFile,
            stdin: process.stdin,
            variable: env.DOCKET_SHARE_PASSWORD,
          })
          const { url, report } = await shareSession(client, session, { ...options, password, acceptFindings })
          process.stderr.write(`${report.join("\n")}\n`)
          process.stdout.write(`${url}\n`)
        }),
      ),
    )

  addServiceOptions(program.command("unshare"))
    .description("end every link of a session: whoever has one gets nothing from now on")
    .argument("<session>", "as docket sessions shows it", readSessionID)
    .action((session: string, options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          process.stdout.write(`${await unshareSession(client, session)}\n`)
        }),
      ),
    )

  addServiceOptions(program.command("shares"))
    .description("list the links: session, for whom, until when, how often opened, how much is hidden")
    .option("--all", "revoked ones too")
    .action((options: ServiceOptions & { all?: boolean }) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          for (const line of await listShares(client, options)) process.stdout.write(`${line}\n`)
        }),
      ),
    )
}
