import path from "node:path"
import { text } from "node:stream/consumers"
import type { PermissionPreset } from "@docket/core/schema"
import { connect } from "../connect/connect.ts"
import { projectDirectory } from "../connect/project-directory.ts"
import { exitCode } from "../exit-code.ts"
import { connectOptions, type ServiceOptions } from "../service-options.ts"
import { UsageError } from "../usage-error.ts"
import { createTerminalAsk } from "./ask-permission.ts"
import { createTerminalPlan } from "./ask-plan.ts"
import { createTerminalQuestions } from "./ask-questions.ts"
import { createJsonOutput } from "./json-output.ts"
import { parseModel } from "./parse-model.ts"
import type { PermissionMode } from "./permission-clerk.ts"
import { type RunEnd, run } from "./run.ts"
import { createTextOutput } from "./text-output.ts"

export interface RunOptions extends ServiceOptions {
  agent?: string
  model?: string
  variant?: string
  preset?: PermissionPreset
  session?: string
  private?: boolean
  project?: string
  trust?: boolean
  permission: PermissionMode
  format: "text" | "json"
}

/**
 * `docket run`: does one turn and resolves with the exit code. Stops the turn when the output cannot be written.
 * @throws UsageError, client errors
 */
export async function runCommand(unwritten: AbortSignal, prompt: string, options: RunOptions): Promise<number> {
  const { stdin, stdout, stderr } = process
  const isTerminal = stdin.isTTY && stderr.isTTY
  const directory = path.resolve(options.project ?? ".")
  if (options.private && options.session !== undefined)
    throw new UsageError("--private is for a new session; who sees one that is there is chosen in its menu")
  const model = options.model === undefined ? undefined : parseModel(options.model)
  const interrupt = new AbortController()
  const onInterrupt = () => {
    // The second Ctrl-C exits without waiting.
    if (interrupt.signal.aborted) process.exit(exitCode.interrupted)
    interrupt.abort()
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onInterrupt)
  unwritten.addEventListener("abort", () => interrupt.abort(), { once: true })
  const given = prompt === "-" ? await text(stdin) : prompt
  if (given.trim() === "") throw new UsageError("the prompt is empty: write what is to be done")
  const connected = await connect(connectOptions(options, directory))
  try {
    const end = await run(
      {
        client: connected.client,
        ask: isTerminal ? createTerminalAsk(stdin, stderr) : null,
        askPlan: isTerminal ? createTerminalPlan(stdin, stderr) : null,
        inquire: isTerminal ? createTerminalQuestions(stdin, stderr) : null,
        permission: options.permission,
        createOutput: (session) =>
          options.format === "json" ? createJsonOutput(stdout, stderr) : createTextOutput(session, stdout, stderr),
        interrupted: interrupt.signal,
        gone: connected.ended,
      },
      {
        prompt: given,
        sessionID: options.session ?? null,
        directory: await projectDirectory(connected, options.project),
        trust: options.trust === true,
        agent: options.agent,
        model,
        variant: options.variant,
        preset: options.preset,
        visibility: options.private === true ? "author" : undefined,
      },
    )
    return interrupt.signal.aborted ? exitCode.interrupted : codeOf(end)
  } finally {
    await connected.close()
  }
}

/** A turn with a refused request has not done all that it wanted: a script must not treat it as done. */
function codeOf({ turn, refused }: RunEnd): number {
  return turn.status === "completed" && refused === 0 ? exitCode.done : exitCode.failed
}
