import type { AvailableCommand, ContentBlock } from "@agentclientprotocol/sdk/unstable"
import type { DocketClient } from "@docket/client"
import type { LeftFile } from "@docket/core/schema"
import { promptsOf } from "./prompts-of.ts"

const commands = {
  undo: "takes the last prompt back, with its answer and the files that it changed",
  redo: "brings back what was undone",
}

/** Commands for editors alone: the web app has buttons for them. */
export const undoCommands: AvailableCommand[] = Object.entries(commands).map(([name, description]) => ({
  name,
  description,
}))

type UndoCommand = keyof typeof commands

/** The command that a prompt is; null for any other prompt, and where the project has a command of that name. */
export async function readUndoCommand(
  docket: DocketClient,
  projectID: string,
  blocks: readonly ContentBlock[],
): Promise<UndoCommand | null> {
  const [block] = blocks
  const text = blocks.length === 1 && block?.type === "text" ? block.text.trim() : ""
  const command = text === "/undo" ? "undo" : text === "/redo" ? "redo" : null
  if (command === null) return null
  const ofProject = await docket.command.list.query({ projectID })
  return ofProject.some(({ name }) => name === command) ? null : command
}

/** Undoes or redoes on the disk, and says what came of it. */
export async function runUndoCommand(docket: DocketClient, sessionID: string, command: UndoCommand): Promise<string> {
  if (command === "redo") {
    const { left } = await docket.session.unrevert.mutate({ sessionID })
    return `What was undone is back.${leftFiles(left)}`
  }
  const messageID = await lastPrompt(docket, sessionID)
  if (messageID === null) return "There is no prompt to undo."
  const { revert } = await docket.session.revert.mutate({ sessionID, messageID })
  if (!revert) return "Nothing was undone."
  const { count, left, note } = revert.files
  const files = count === 0 ? "no file" : count === 1 ? "1 file" : `${count} files`
  return `The last prompt is undone, and ${files} put back. /redo brings it back until the next prompt.${note === null ? "" : ` ${note}`}${leftFiles(left)}`
}

/** The newest prompt that is not undone yet. */
async function lastPrompt(docket: DocketClient, sessionID: string): Promise<string | null> {
  const [session, prompts] = await Promise.all([docket.session.get.query({ sessionID }), promptsOf(docket, sessionID)])
  const from = session.revert?.messageID
  return prompts.findLast((id) => from === undefined || id < from) ?? null
}

function leftFiles(left: readonly LeftFile[]): string {
  if (left.length === 0) return ""
  return ` Left as they are: ${left.map(({ path, reason }) => `${path} (${reason.replaceAll("_", " ")})`).join(", ")}.`
}
