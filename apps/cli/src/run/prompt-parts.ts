import type { DocketClient } from "@docket/client"
import type { PromptPart } from "@docket/core/schema"
import { readSlash } from "@docket/core/slash"

/** The prompt in the form that is sent: a command with its arguments if it begins with `/name`, else text. */
export async function promptParts(client: DocketClient, projectID: string, prompt: string): Promise<PromptPart[]> {
  const slash = readSlash(prompt)
  const { name = "", typed = "" } = slash ?? {}
  const isCommand = slash !== null && (!slash.mayBePath || (await hasCommand(client, projectID, name)))
  return [isCommand ? { type: "command", name, arguments: typed } : { type: "text", text: prompt }]
}

async function hasCommand(client: DocketClient, projectID: string, name: string): Promise<boolean> {
  const commands = await client.command.list.query({ projectID })
  return commands.some((command) => command.name === name)
}
