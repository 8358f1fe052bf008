"use client"

import type { TreeStore } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import type { Part } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useCallback, useRef, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { visibleMessages } from "../tree/visible-messages.ts"
import { type AttachedFile, holdsPrompt, type RestoredPrompt, restoredPrompt } from "./restored-prompt.ts"
import { whatIsUndone } from "./what-is-undone.ts"

/** What the last undo has put into the prompt field: nothing yet. */
const nothing: { text: string; files: readonly AttachedFile[] } = { text: "", files: [] }

/** Undo and redo for the session on screen, and the prompt that returns to the field. */
export function useUndo(sessionID: string, store: TreeStore) {
  const trpc = useTRPC()
  const announce = useAnnounce()
  const [restored, setRestored] = useState<RestoredPrompt | null>(null)
  const putByUndo = useRef(nothing)
  const revert = useMutation(trpc.session.revert.mutationOptions({ onError: showProblem }))
  const unrevert = useMutation(trpc.session.unrevert.mutationOptions({ onError: showProblem }))
  const { mutateAsync: undoFrom } = revert

  const start = useCallback(
    async (from: { messageID: string; partID?: string }, parts: readonly Part[]) => {
      const prompt = { ...restoredPrompt(parts), take: putByUndo.current.text, detach: putByUndo.current.files }
      // `onError` has shown the error.
      const session = await undoFrom({ sessionID, ...from }).catch(() => null)
      if (session === null) return
      putByUndo.current = { text: prompt.put, files: prompt.attach }
      setRestored(prompt)
      if (session.revert) announce(whatIsUndone(session.revert))
    },
    [undoFrom, sessionID, announce],
  )
  const undo = useCallback((messageID: string, parts: readonly Part[]) => start({ messageID }, parts), [start])
  /** The prompt of the step stays, so none comes back to the field. */
  const undoStep = useCallback(({ messageID, id }: Part) => start({ messageID, partID: id }, []), [start])
  const undoLast = async () => {
    const tree = store.get().tree
    const messages = visibleMessages(tree?.transcripts[sessionID]?.messages ?? [], tree?.sessions[sessionID]?.revert)
    const last = messages.findLast(({ info, parts }) => info.role === "user" && holdsPrompt(restoredPrompt(parts)))
    if (last) await undo(last.info.id, last.parts)
    else announce("There is nothing to undo")
  }
  const redo = async () => {
    const done = await unrevert.mutateAsync({ sessionID }).catch(() => null)
    if (done === null) return
    setRestored({ put: "", take: putByUndo.current.text, files: [], attach: [], detach: putByUndo.current.files })
    putByUndo.current = nothing
    announce("Everything is back")
    if (done.left.length === 0) return
    const names = done.left.map(({ path }) => path).join(", ")
    await showProblem(new Error(`Everything is back but files that changed since: ${names}.`))
  }
  return {
    undo,
    undoStep,
    undoLast,
    redo,
    pending: revert.isPending || unrevert.isPending,
    restored,
    /** Puts another prompt back into the field. */
    restore: setRestored,
    onRestored: useCallback(() => setRestored(null), []),
  }
}

export type Undo = ReturnType<typeof useUndo>
