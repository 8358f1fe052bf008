import type { Command } from "commander"
import { connect } from "../connect/connect.ts"
import { deskLink } from "../desk-link.ts"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { readSessionID } from "../read-session-id.ts"
import { createTerminalAsk } from "../run/ask-permission.ts"
import { createTerminalPlan } from "../run/ask-plan.ts"
import { createTerminalQuestions } from "../run/ask-questions.ts"
import { addServiceOptions, connectOptions, type ServiceOptions } from "../service-options.ts"
import { UsageError } from "../usage-error.ts"
import { attach } from "./attach.ts"
import { createScreen } from "./terminal-screen.ts"

interface AttachOptions extends ServiceOptions {
  untilDone?: boolean
}

/** `docket attach`. */
export function addAttachCommand(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("attach"))
    .description("follow a session and all that it delegates, and answer what it asks; without one, the newest")
    .argument("[session]", "as docket sessions lists it", readSessionID)
    .option("--until-done", "end when nothing works or waits there any more")
    .action((session: string | undefined, options: AttachOptions) =>
      finish(unwritten, attachCommand(unwritten, session, options)),
    )
}

async function attachCommand(unwritten: AbortSignal, given: string | undefined, options: AttachOptions) {
  const { stdin, stdout, stderr } = process
  const { client, url } = await connect(connectOptions(options, null))
  const sessionID = given ?? (await client.session.list.query({ limit: 1 })).items[0]?.session.id
  if (sessionID === undefined) throw new UsageError("there is no session to attach to: docket run begins one")
  const session = await client.session.get.query({ sessionID })
  const leave = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => leave.abort())
  unwritten.addEventListener("abort", () => leave.abort(), { once: true })
  const isTerminal = stdin.isTTY && stdout.isTTY
  const tree = await attach(
    {
      client,
      screen: createScreen(stdout),
      // A third of the terminal for each of the two, so that lines stay in sight.
      rows: Math.max(3, Math.floor((stdout.rows ?? 24) / 3)),
      asking: isTerminal
        ? {
            ask: createTerminalAsk(stdin, stdout),
            askPlan: createTerminalPlan(stdin, stdout),
            inquire: createTerminalQuestions(stdin, stdout),
          }
        : null,
      url: deskLink(url, session),
      leave,
    },
    { sessionID, untilDone: options.untilDone === true },
  )
  if (leave.signal.aborted) {
    stderr.write(`left; the session goes on: docket attach ${sessionID}\n`)
    return exitCode.done
  }
  const { how = "completed" } = tree.sessions[sessionID]?.ended ?? {}
  return { completed: exitCode.done, failed: exitCode.failed, stopped: exitCode.stopped }[how]
}
