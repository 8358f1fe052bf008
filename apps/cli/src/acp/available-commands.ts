import type { AvailableCommandsUpdate } from "@agentclientprotocol/sdk/unstable"
import type { DocketClient } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import { undoCommands } from "./undo-command.ts"

/** What `/name` may stand for in a prompt from an editor. */
export async function availableCommands(docket: DocketClient, projectID: string): Promise<AvailableCommandsUpdate> {
  const commands = await docket.command.list.query({ projectID })
  const own = undoCommands.filter(({ name }) => commands.every((command) => command.name !== name))
  const named = commands.map(({ name, description, hint }) => ({
    name,
    description: visibleText(description),
    ...(hint !== null && { input: { hint: visibleText(hint) } }),
  }))
  return { availableCommands: [...named, ...own] }
}
