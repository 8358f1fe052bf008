import path from "node:path"
import { maxPromptBytes } from "@docket/core/prompt-limit"
import { PermissionPreset } from "@docket/core/schema"
import { type Command, Option } from "commander"
import { connect } from "../connect/connect.ts"
import { projectDirectory, projectOption } from "../connect/project-directory.ts"
import { describeFailure, exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { readSessionID } from "../read-session-id.ts"
import { readStream } from "../read-stream.ts"
import { addServiceOptions, connectOptions, type ServiceOptions } from "../service-options.ts"
import { UsageError } from "../usage-error.ts"
import { createTerminalAsk } from "./ask-permission.ts"
import { createTerminalPlan } from "./ask-plan.ts"
import { createTerminalQuestions } from "./ask-questions.ts"
import { attachedFiles } from "./attached-files.ts"
import { createJsonOutput, errorLine } from "./json-output.ts"
import { parseModel } from "./parse-model.ts"
import type { PermissionMode } from "./permission-clerk.ts"
import { readSchema } from "./read-schema.ts"
import { run } from "./run.ts"
import type { WantedSession } from "./run-session.ts"
import { createTextOutput } from "./text-output.ts"
import { createValueOutput } from "./value-output.ts"

interface RunOptions extends ServiceOptions {
  continue?: boolean
  session?: string
  fork?: boolean
  worktree?: boolean
  agent?: string
  model?: string
  variant?: string
  file?: string[]
  schema?: string
  preset?: PermissionPreset
  private?: boolean
  project?: string
  trust?: boolean
  permission: PermissionMode
  format: "text" | "json"
}

/** `docket run`. */
export function addRunCommand(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("run"))
    .description("do one turn and stream it: the answer on stdout, everything else on stderr")
    .argument("[prompt]", "what is to be done; - or none reads it from stdin")
    .option("--continue", "go on with the newest session of the project")
    .option("--session <id>", "go on with a session", readSessionID)
    .option("--fork", "with --continue or --session: in a copy, so that the session stays as it is")
    .option("--worktree", "with --fork: on the project's files as they are now, in a git worktree of the copy's own")
    .option("--agent <name>", "agent that answers")
    .option("--model <provider/model>", "model that it uses")
    .option("--variant <name>", "one of the model's variants, such as how hard it thinks: low, high…")
    .option("--file <file>", "attach a file of this machine: a text, a picture, a PDF; for more, name it again", addTo)
    .option("--schema <file>", "a JSON Schema that the answer must fit: stdout is then the value, as JSON")
    .addOption(
      new Option("--preset <name>", "how much it may do unasked, as the composer says it").choices(
        PermissionPreset.options,
      ),
    )
    .option("--private", "in a team: nobody else sees the new session, until you show it")
    .option("--project <directory>", projectOption)
    .option(
      "--trust",
      "let what the project brings (settings, agents, commands, skills, instructions) count as it is now",
    )
    .addOption(
      new Option("--permission <answer>", "what to answer where the rules leave it open; ask: on the terminal")
        .choices(["deny", "ask", "allow"])
        .default("ask"),
    )
    .addOption(new Option("--format <format>", "json: one event a line").choices(["text", "json"]).default("text"))
    .action((prompt: string | undefined, options: RunOptions) =>
      finish(unwritten, runCommand(unwritten, prompt, options)),
    )
}

/** Collects the values of an option that may be given again. A list of values would take the prompt for a file. */
function addTo(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** Does one turn and resolves with the exit code. @throws UsageError, client errors */
async function runCommand(unwritten: AbortSignal, prompt: string | undefined, options: RunOptions): Promise<number> {
  try {
    return await runTurn(unwritten, prompt, options)
  } catch (error) {
    if (options.format === "json") {
      const failure = describeFailure(error)
      process.stdout.write(errorLine({ message: failure.text, exitCode: failure.code }))
    }
    throw error
  }
}

/** Stops the turn when the output cannot be written. */
async function runTurn(unwritten: AbortSignal, prompt: string | undefined, options: RunOptions): Promise<number> {
  const { stdin, stdout, stderr } = process
  const isTerminal = stdin.isTTY && stderr.isTTY
  const directory = path.resolve(options.project ?? ".")
  const from = wantedFrom(options)
  const model = options.model === undefined ? undefined : parseModel(options.model)
  // Until the prompt is there, Ctrl-C ends the program as usual.
  const given = await readPrompt(prompt)
  const interrupt = new AbortController()
  const onInterrupt = () => {
    // The second Ctrl-C exits without waiting.
    if (interrupt.signal.aborted) process.exit(exitCode.stopped)
    interrupt.abort()
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onInterrupt)
  unwritten.addEventListener("abort", () => interrupt.abort(), { once: true })
  const files = await attachedFiles(options.file ?? [])
  const outputSchema = options.schema === undefined ? undefined : await readSchema(options.schema)
  const connected = await connect(connectOptions(options, directory))
  try {
    return await run(
      {
        client: connected.client,
        ask: isTerminal ? createTerminalAsk(stdin, stderr) : null,
        askPlan: isTerminal ? createTerminalPlan(stdin, stderr) : null,
        inquire: isTerminal ? createTerminalQuestions(stdin, stderr) : null,
        permission: options.permission,
        createOutput: (session, url) => {
          if (options.format === "json") return createJsonOutput({ sessionID: session.id, url }, stdout, stderr)
          return (outputSchema ? createValueOutput : createTextOutput)(session, stdout, stderr)
        },
        desk: connected.isLasting ? connected.url : null,
        interrupted: interrupt.signal,
        gone: connected.ended,
      },
      {
        prompt: given,
        files,
        outputSchema,
        from,
        fork: options.fork ? { worktree: options.worktree === true } : null,
        directory: await projectDirectory(connected, options.project),
        trust: options.trust === true,
        agent: options.agent,
        model,
        variant: options.variant,
        preset: options.preset,
        visibility: options.private === true ? "author" : undefined,
      },
    )
  } finally {
    await connected.close()
  }
}

/** Which session is meant. @throws UsageError where options contradict each other */
function wantedFrom({ continue: goOn, session, fork, worktree, private: hidden }: RunOptions): WantedSession["from"] {
  if (goOn && session !== undefined) throw new UsageError("--continue and --session name two sessions: choose one")
  const from = goOn ? "newest" : session === undefined ? null : { sessionID: session }
  if (hidden && from !== null)
    throw new UsageError("--private is for a new session; who sees one that is there is chosen in its menu")
  if (fork && from === null) throw new UsageError("--fork copies a session: name it with --session, or use --continue")
  if (worktree && !fork) throw new UsageError("--worktree is for the files of a copy: add --fork")
  return from
}

/** @throws UsageError when there is none */
async function readPrompt(given: string | undefined): Promise<string> {
  const { stdin } = process
  const isTyped = given === undefined && stdin.isTTY
  const prompt = isTyped ? "" : given === undefined || given === "-" ? await readText(stdin) : given
  if (prompt.trim() === "") throw new UsageError("the prompt is empty: write what is to be done")
  return prompt
}

async function readText(stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  const bytes = await readStream(stdin, maxPromptBytes)
  if (bytes === null)
    throw new UsageError(
      "the prompt on stdin is larger than 1 MB, the most that a session takes: save it as a file in the project and name the file in the prompt",
    )
  return bytes.toString("utf8")
}
