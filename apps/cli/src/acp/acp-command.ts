import type { Command } from "commander"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { addServiceOptions } from "../service-options.ts"
import type { AcpOptions } from "./serve-acp.ts"

/** `docket acp`: for editors, which start it. */
export function addAcpCommand(unwritten: AbortSignal, program: Command): void {
  addServiceOptions(program.command("acp"))
    .description("speak the Agent Client Protocol on stdin and stdout: editors start this")
    .option("--project <directory>", "on a team's server, which of its projects (default: one of the directory's name)")
    .option("--terminal", "run commands of agents in the editor's terminal, not in the sandbox; each one asks")
    .action((options: AcpOptions) => finish(unwritten, acp(unwritten, options)))
}

async function acp(unwritten: AbortSignal, options: AcpOptions): Promise<number> {
  const told = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => told.abort())
  // Other commands do not wait for it.
  const { serveAcp } = await import("./serve-acp.ts")
  await serveAcp(options, AbortSignal.any([unwritten, told.signal]))
  return exitCode.done
}
