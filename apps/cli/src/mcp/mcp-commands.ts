import type { Command } from "commander"
import { finish } from "../finish.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"

/** `docket mcp`: the Model Context Protocol. */
export function addMcpCommands(unwritten: AbortSignal, program: Command): void {
  const mcp = program.command("mcp").description("the Model Context Protocol")
  addServiceOptions(mcp.command("serve"))
    .description(
      "offer the running service to an MCP client on stdin and stdout, so that it delegates to Docket's agents",
    )
    .action((options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ url, token, ended }) => {
          const { bridgeMcp } = await import("./bridge-mcp.ts")
          await bridgeMcp({ url, token }, AbortSignal.any([unwritten, ended]))
        }),
      ),
    )
}
