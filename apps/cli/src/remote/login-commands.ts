import { createDocketClient } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import type { Command } from "commander"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { requestLoginUrl } from "../login.ts"
import { addServiceOptions, dataOf, type ServiceOptions, withService } from "../service-options.ts"
import { UsageError } from "../usage-error.ts"
import { isInTheClear, readServerUrl } from "./server-url.ts"
import { signInDevice } from "./sign-in-device.ts"
import { storedSignIns } from "./stored-sign-ins.ts"

/** `docket login` and `docket logout`. */
export function addLoginCommands(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("login"))
    .description("sign in to a team's server with --server; else print a one-time login link of the running service")
    .action((options: ServiceOptions) =>
      finish(unwritten, options.server === undefined ? printLink(options) : signIn(options.server, options)),
    )
  program
    .command("logout")
    .description("end the sign-in to a team's server: commands are for this machine again")
    .option("--server <url>", "which one; the one in use unless named")
    .option("--data <directory>", "where sign-ins are kept (default: ~/.docket)")
    .action((options: { server?: string; data?: string }) => finish(unwritten, signOut(options)))
}

/** @throws UsageError */
async function signIn(server: string, options: ServiceOptions): Promise<number> {
  const url = readServerUrl(server)
  if (isInTheClear(url))
    process.stderr.write(
      `docket: everybody on the way to ${url} can read this sign-in and all that follows; use https:// where the server has it\n`,
    )
  // Never aborts: Ctrl-C ends the process.
  const signal = new AbortController().signal
  const token = await signInDevice(url, { say: (text) => process.stdout.write(text), signal })
  const me = await createDocketClient({ url, token }).me.get.query()
  await storedSignIns(dataOf(options)).keep({ url, token, name: me.name })
  process.stdout.write(
    `Signed in to ${url} as ${visibleText(me.name)} (${visibleText(me.role)}). Commands are for it now; docket logout ends that.\n`,
  )
  return exitCode.done
}

async function signOut(options: { server?: string; data?: string }): Promise<number> {
  const signIns = storedSignIns(dataOf(options))
  const found = options.server === undefined ? await signIns.last() : await signIns.find(readServerUrl(options.server))
  if (found === null) throw new UsageError("you are signed in to no server from here")
  const ended = await endThere(found).then(
    () => true,
    () => false,
  )
  await signIns.remove(found.url)
  const rest = ended
    ? ""
    : " The server did not hear of it: end it under Settings, My sign-ins, when it can be reached."
  process.stdout.write(`Signed out of ${found.url}.${rest}\n`)
  return exitCode.done
}

async function endThere({ url, token }: { url: string; token: string }): Promise<void> {
  const { team } = createDocketClient({ url, token })
  const here = (await team.signIns.query()).find(({ isCurrent }) => isCurrent)
  if (here) await team.endSignIn.mutate({ signIn: here.id })
}

function printLink(options: ServiceOptions): Promise<number> {
  return withService(options, async ({ client, url, token }) => {
    process.stdout.write(`${await requestLoginUrl(url, token)}\n`)
    const { state, reason } = await client.sandbox.state.query()
    if (state !== "on") process.stderr.write(`docket: sandbox ${state}: ${reason}\n`)
  })
}
