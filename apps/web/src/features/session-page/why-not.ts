import type { TreeState } from "@docket/client"
import { visibleMessages } from "../tree/visible-messages.ts"
import { restoredPrompt } from "../undo/restored-prompt.ts"

/** Messages that explain why an action on a session is not possible now; no entry for a possible one. */
export interface WhyNot {
  stop?: string
  undo?: string
  redo?: string
}

export function whyNot(tree: TreeState | null, sessionID: string): WhyNot {
  const session = tree?.sessions[sessionID]
  if (tree === null || session === undefined) return {}
  const isWorking = Object.values(tree.sessions).some(({ status }) => status.type !== "idle")
  const window = tree.transcripts[sessionID]
  const kept = visibleMessages(window?.messages ?? [], session.revert)
  // `put` is the text that undoing the prompt would put back into the composer.
  const hasPrompt = kept.some(({ info, parts }) => info.role === "user" && restoredPrompt(parts).put !== "")
  const mayHavePrompt = hasPrompt || window === undefined || window.before !== null
  return {
    ...(!isWorking && { stop: "nothing runs" }),
    ...(isWorking ? { undo: "stop the agent first" } : !mayHavePrompt && { undo: "there is no prompt to undo" }),
    ...(session.revert ? isWorking && { redo: "stop the agent first" } : { redo: "nothing is undone" }),
  }
}
