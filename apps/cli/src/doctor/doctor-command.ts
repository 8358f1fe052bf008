import { homedir, hostname } from "node:os"
import path from "node:path"
import { createSandbox } from "@docket/core/sandbox"
import type { Command } from "commander"
import { type ConnectOptions, connect, findRemote } from "../connect/connect.ts"
import { findLiveServer } from "../connect/live-server.ts"
import { env } from "../env.ts"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { isThisMachine } from "../remote/server-url.ts"
import { addServiceOptions, connectOptions, dataOf, type ServiceOptions } from "../service-options.ts"
import { type Check, checkLines } from "./check.ts"
import { checkMachine } from "./check-machine.ts"
import { checkService } from "./check-service.ts"
import { checkTelemetry } from "./check-telemetry.ts"

/** `docket doctor`: checks whether this machine has what Docket needs, and says what to do if not. */
export function addDoctorCommand(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("doctor"))
    .description("check what Docket needs: programs, data, port, and of a running service database, models, sandbox")
    .action((options: ServiceOptions) => finish(unwritten, examine(options)))
}

async function examine(options: ServiceOptions): Promise<number> {
  const data = dataOf(options)
  const connecting = connectOptions(options, null)
  const namedUrl = (await findRemote(connecting))?.url ?? options.url ?? null
  if (namedUrl !== null && !isThisMachine(namedUrl)) return report(whereLine(namedUrl), await ofService(connecting))
  const isRunning = namedUrl !== null || (await findLiveServer(data)) !== null
  const machine = await checkMachine({ data, isRunning, node: process.versions.node })
  const rest = isRunning
    ? await ofService(connecting)
    : await checkService(null, machine.some(({ state }) => state === "bad") ? undefined : () => ownSandbox(data))
  const telemetry = await checkTelemetry(env)
  return report(`On this machine (${hostname()}):`, [...machine, ...rest, ...(telemetry === null ? [] : [telemetry])])
}

/** The machine of a remote service cannot be checked from here, and checks of this machine say nothing about it. */
function whereLine(url: string): string {
  return `Of the service at ${url}. Its machine is checked by docket doctor there, and this one by docket doctor --data DIRECTORY:`
}

async function ofService(connecting: ConnectOptions): Promise<Check[]> {
  return await checkService((await connect(connecting)).client)
}

function report(where: string, checks: readonly Check[]): number {
  process.stdout.write(`${[where, ...checkLines(checks)].join("\n")}\n`)
  return checks.some(({ state }) => state === "bad") ? exitCode.failed : exitCode.done
}

/** When no service runs, the sandbox can be tried from this process. */
function ownSandbox(data: string) {
  return createSandbox({
    home: homedir(),
    env: { PATH: env.PATH },
    platform: process.platform,
    dataDirectory: data,
    configDirectory: path.join(homedir(), ".config", "docket"),
    clock: Date.now,
  }).state()
}
