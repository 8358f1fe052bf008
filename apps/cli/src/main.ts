#!/usr/bin/env node
import { homedir } from "node:os"
import path from "node:path"
import { Command, Option } from "commander"
import { connect } from "./connect/connect.ts"
import { createToken } from "./create-token.ts"
import { describeFailure, exitCode } from "./exit-code.ts"
import { listSessions } from "./list-sessions.ts"
import { requestLoginUrl } from "./login.ts"
import { type RunOptions, runCommand } from "./run/run-command.ts"
import { serve } from "./serve.ts"

interface ServiceOptions {
  data: string
  url?: string
  tokenFile?: string
}

const program = new Command("docket")
  .description("Coding agents that plan, delegate and edit, on your own machine.")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCode.done : exitCode.usage))

program
  .command("serve")
  .description("start the service and the web app (its own options: docket serve --help)")
  .argument("[options...]")
  .allowUnknownOption()
  .helpOption(false)
  .action((args: string[]) => finish(serve(args)))

addServiceOptions(program.command("run"))
  .description("do one turn and stream it: the answer on stdout, everything else on stderr")
  .argument("<prompt>", "- reads it from stdin, for a long one")
  .option("--agent <name>", "agent that answers")
  .option("--model <provider/model>", "model that it uses")
  .option("--session <id>", "go on with a session")
  .option("--project <directory>", "project to work in", ".")
  .addOption(new Option("--format <format>", "json: one event a line").choices(["text", "json"]).default("text"))
  .action((prompt: string, options: RunOptions) => finish(runCommand(prompt, options)))

addServiceOptions(program.command("sessions"))
  .description("list the newest sessions of the running service")
  .option("--limit <count>", "how many", "20")
  .action((options: ServiceOptions & { limit: string }) =>
    finish(
      withService(options, async ({ client }) => {
        for (const line of await listSessions(client, Number(options.limit))) process.stdout.write(`${line}\n`)
      }),
    ),
  )

addServiceOptions(program.command("login"))
  .description("print a new one-time login link of the running service")
  .action((options: ServiceOptions) =>
    finish(
      withService(options, async ({ url, token }) => {
        process.stdout.write(`${await requestLoginUrl(url, token)}\n`)
      }),
    ),
  )

addServiceOptions(program.command("token").description("tokens for programs that use /v1").command("create"))
  .description("make a bearer token; it is printed once and kept only as a hash")
  .option("--tenant <name>", "whose todos and memory it opens", "local")
  .requiredOption("--name <text>", "what it is for")
  .action((options: ServiceOptions & { tenant: string; name: string }) =>
    finish(
      withService(options, async ({ url, token }) => {
        process.stdout.write(`${await createToken({ url, token }, options)}\n`)
      }),
    ),
  )

await program.parseAsync()

function addServiceOptions(command: Command): Command {
  return command
    .option("--data <directory>", "data directory; its running service is used", path.join(homedir(), ".docket"))
    .option("--url <url>", "use the service at this address")
    .option("--token-file <file>", "file with the token of --url")
}

async function withService(
  { data, url, tokenFile }: ServiceOptions,
  use: (connected: Awaited<ReturnType<typeof connect>>) => Promise<void>,
): Promise<number> {
  await use(await connect({ url, tokenFile, data: path.resolve(data), project: null }))
  return exitCode.done
}

/** Ends the process with the code, or with one line that says what was wrong. */
async function finish(work: Promise<number>): Promise<void> {
  const code = await work.catch((error: unknown) => {
    const failure = describeFailure(error)
    process.stderr.write(`docket: ${failure.text}\n`)
    return failure.code
  })
  // A pipe may still hold what was written.
  await new Promise((resolve) => process.stdout.write("", resolve))
  process.exit(code)
}
