import type { ClientCapabilities } from "@agentclientprotocol/sdk/unstable"

/** What the editor can do besides the usual. */
export interface EditorCapabilities {
  /** It gives the text of its files, with what is not saved. */
  readsFiles: boolean
  /** It runs the commands of agents in its terminal, as its user wants. */
  runsCommands: boolean
  /** It shows child sessions. */
  hasSubagents: boolean
  /** It draws the output of commands that ran here as a terminal. */
  drawsTerminals: boolean
}

/** @param wantsTerminal commands are to run in the editor's terminal if it has one */
export function editorCapabilities(given: ClientCapabilities | undefined, wantsTerminal: boolean): EditorCapabilities {
  return {
    readsFiles: given?.fs?.readTextFile === true,
    runsCommands: wantsTerminal && given?.terminal === true,
    hasSubagents: (given?.subagents ?? null) !== null,
    drawsTerminals: given?._meta?.terminal_output === true,
  }
}
