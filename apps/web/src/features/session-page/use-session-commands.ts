"use client"

import { useTRPC } from "@docket/client/react"
import { shortTitle } from "@docket/core/session-title"
import { useMutation } from "@tanstack/react-query"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useAppActions } from "../../shell/app-actions.tsx"
import { allowedOf, type Command, useOffer } from "../../shell/commands.tsx"
import { useMe } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { useGo } from "../../shell/use-go.ts"
import { mayRemove } from "../session-menu/may-remove.ts"
import { useSessionUpdate } from "../session-menu/use-session-update.ts"
import { isUndone } from "../tree/is-undone.ts"
import type { Undo } from "../undo/use-undo.ts"
import { reviewHref } from "./review-href.ts"
import type { SessionView } from "./use-session-view.ts"
import { useUnshare } from "./use-unshare.ts"
import { whyNot } from "./why-not.ts"

const here = "This session"

/** Commands for the session on screen; the palette lists them too. */
export function useSessionCommands(view: SessionView, undo: Undo, stop: () => void): Command[] {
  const { session } = view
  const actions = useAppActions()
  const me = useMe()
  const background = useBackground(view)
  const archive = useArchive()
  const go = useGo()
  const unshare = useUnshare()
  const commands: Command[] = []
  if (session !== null) {
    const isRoot = session.parentID === null
    const archived = session.time.archived !== null
    const { stop: noStop, undo: noUndo, redo: noRedo } = whyNot(view.store.get().tree, session.id)
    commands.push({
      id: "stop",
      group: here,
      needs: "prompt",
      label: "Stop the agent",
      slash: "stop",
      unavailable: noStop,
      run: stop,
    })
    if (isRoot) {
      const [undoLabel, redoLabel] = ["Undo the last prompt", "Bring back what is undone"]
      commands.push(
        {
          id: "undo",
          group: here,
          needs: "undo",
          label: undoLabel,
          slash: "undo",
          unavailable: noUndo,
          run: undo.undoLast,
        },
        {
          id: "redo",
          group: here,
          needs: "undo",
          label: redoLabel,
          slash: "redo",
          unavailable: noRedo,
          run: undo.redo,
        },
      )
    }
    commands.push(
      ...background,
      {
        id: "rename",
        group: here,
        needs: "prompt",
        label: "Rename…",
        slash: "rename",
        run: () => actions.rename(session),
      },
      { id: "review", group: here, label: "Review its tasks", slash: "tasks", run: () => go(reviewHref(view)) },
      {
        id: "share",
        group: here,
        needs: "share",
        label: "Share…",
        slash: "share",
        run: () => actions.share(session.rootID),
      },
      {
        id: "unshare",
        group: here,
        needs: "share",
        label: "Revoke all its links",
        slash: "unshare",
        run: () => unshare(session.rootID),
      },
    )
    if (isRoot) {
      const label = archived ? "Bring back from the archive" : "Archive"
      const run = () => archive(session.id, !archived)
      commands.push({ id: "archive", group: here, needs: "prompt", label, slash: "archive", run })
    }
    if (mayRemove(session, me)) {
      const run = () => actions.remove(session)
      commands.push({ id: "delete", group: here, label: "Delete…", keywords: ["remove"], run })
    }
  }
  const allowed = allowedOf(commands, me)
  useOffer([...allowed, ...useFamily(view)])
  return allowed
}

/** Moves the call that the session waits for to the background. */
function useBackground({ store, session }: SessionView): Command[] {
  const trpc = useTRPC()
  const announce = useAnnounce()
  const send = useMutation(trpc.task.background.mutationOptions({ onError: showProblem }))
  const awaited = Object.values(store.get().tree?.tasks ?? {}).filter(
    (task) => task.parentID === session?.id && task.mode === "blocking" && task.state === "running",
  )
  return awaited.map(({ id, number, description }) => ({
    id: `background:${id}`,
    group: here,
    needs: "prompt",
    label: `Send task ${number} to the background`,
    hint: description,
    run: () => send.mutate({ taskID: id }, { onSuccess: () => announce(`Task ${number} goes on in the background`) }),
  }))
}

function useArchive() {
  const announce = useAnnounce()
  const { update, refresh } = useSessionUpdate()
  return async (sessionID: string, archived: boolean) => {
    try {
      await update.mutateAsync({ sessionID, archived })
      announce(archived ? "Archived" : "Brought back")
      refresh()
    } catch (error) {
      await showProblem(error)
    }
  }
}

/** Commands that open the session's parent and children. */
function useFamily({ session, sessions, tree }: SessionView): Command[] {
  const go = useGo()
  if (session === null) return []
  const parent = session.parentID === null ? undefined : sessions[session.parentID]
  const href = (id: string) => (id === session.rootID ? `/s/${id}` : `/s/${session.rootID}/c/${id}`)
  const up: Command[] = parent
    ? [
        {
          id: "parent",
          group: here,
          label: "Parent session",
          hint: shortTitle(parent),
          run: () => go(href(parent.id)),
        },
      ]
    : []
  const down = tree
    .filter((member) => member.parentID === session.id && !isUndone(member))
    .map((child): Command => {
      const hint = child.status.type === "idle" ? child.agent : `${child.agent} · running`
      return {
        id: `child:${child.id}`,
        group: "Subagents of this session",
        label: shortTitle(child),
        hint,
        keywords: ["child", "subagent"],
        run: () => go(href(child.id)),
      }
    })
  return [...up, ...down]
}
