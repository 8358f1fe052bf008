import type { ClientCapabilities } from "@agentclientprotocol/sdk/unstable"

/** What the editor can do besides the usual. */
export interface EditorCapabilities {
  /** It gives the text of its files, with what is not saved. */
  readsFiles: boolean
  /** It shows child sessions. */
  hasSubagents: boolean
  /** It draws the output of commands that ran here as a terminal. */
  drawsTerminals: boolean
}

export function editorCapabilities(given: ClientCapabilities | undefined): EditorCapabilities {
  return {
    readsFiles: given?.fs?.readTextFile === true,
    hasSubagents: (given?.subagents ?? null) !== null,
    drawsTerminals: given?._meta?.terminal_output === true,
  }
}
