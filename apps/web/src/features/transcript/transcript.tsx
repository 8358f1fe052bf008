"use client"

import type { TreeStore } from "@docket/client"
import { useTRPCClient, useTranscript, useTreeState } from "@docket/client/react"
import type { Part, PermissionRequest, Session, SessionStatus } from "@docket/core/schema"
import type { TranscriptWindow } from "@docket/core/tree"
import { isUnread } from "@docket/core/work-status"
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react"
import { useMe } from "../../shell/me.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { TranscriptSpace } from "../../ui/transcript-space.tsx"
import { useCommenting, useRevealedPart } from "../commenting/use-commenting.ts"
import { findWaiting } from "../tree/find-waiting.ts"
import { partAddress } from "./part-address.ts"
import { TaskStoreContext } from "./rows/live-task.ts"
import { type TranscriptActions, TranscriptActionsContext } from "./rows/transcript-actions.ts"
import styles from "./transcript.module.css"
import { type Arrival, useArrival } from "./use-arrival.ts"
import { useRows } from "./use-rows.ts"
import { VirtualTranscript } from "./virtual-transcript.tsx"

export interface TranscriptProps {
  sessionID: string
  /** The part named in the address (`?part=`). */
  part?: string | null
  /** Opens a child session. */
  onOpenSession(sessionID: string): void
  /** Shown when the session is empty. */
  empty?: ReactNode
  /** False for sessions that users cannot prompt: they have no retry. */
  canPrompt?: boolean
  /** Shows undone messages dimmed instead of hiding them. */
  showUndone?: boolean
  /** How many prompts were sent from this page. Each one scrolls to the end. */
  sentPrompts?: number
  /** The address of a part, if it is not this page with `?part=`. */
  addressOf?: ((partID: string) => string) | undefined
  /** Undoes from a prompt on. */
  onUndo?(messageID: string, parts: readonly Part[]): void
  /** Undoes from the step of a part on. */
  onUndoStep?(part: Part): void
  /** Forks the conversation before a prompt. */
  onFork?(messageID: string): void
  /** Called when the transcript is drawn, to remove what covers it; undefined when nothing does. */
  onDrawn?: (() => void) | undefined
}

const noRequests: Record<string, PermissionRequest> = {}
const noSessions: Record<string, Session> = {}
const idle: SessionStatus = { type: "idle" }

/** The transcript of one session, root or child, updated live. */
export function Transcript(props: TranscriptProps) {
  const { sessionID, part = null } = props
  const visit = useArrival(sessionID, part)
  const store = useTranscript(sessionID, { around: visit.around })
  const window = useTreeState(store, (view) => view.tree?.transcripts[sessionID])
  const error = useTreeState(store, (view) => view.error)
  const session = useTreeState(store, (view) => view.tree?.sessions[sessionID])
  const permissions = useTreeState(store, (view) => view.tree?.permissions ?? noRequests)
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  // Whether a row is unfolded, by its key.
  const [open, setOpen] = useState<ReadonlyMap<string, boolean>>(() => openRows(visit.arrival))
  useRevealed(window, setOpen)
  const actions = useActions(props, setOpen, session !== undefined && session.parentID !== null)

  const status = session?.status ?? idle
  const waiting = useMemo(() => findWaiting(permissions, sessions), [permissions, sessions])
  const revert = session?.revert ?? null
  // The undo whose messages are left out.
  const hidden = props.showUndone ? null : revert
  const rows = useRows(window, { hidden, busy: status.type !== "idle", open, part, waiting })
  const { loadBefore, loadAfter, loadLatest } = usePages(store, sessionID)
  // All loaded messages may be undone. Then older pages are loaded until a message is left to show.
  const olderCursor = rows.length === 0 ? (window?.before ?? null) : null
  useEffect(() => {
    if (olderCursor !== null) loadBefore()
  }, [olderCursor, loadBefore])
  const { onDrawn } = props
  const drawsNothing = error !== null || (window !== undefined && rows.length === 0)
  useEffect(() => {
    if (drawsNothing) onDrawn?.()
  }, [drawsNothing, onDrawn])
  const client = useTRPCClient()
  const { person } = useMe()
  // On a lost connection the session stays unread; the next look marks it again.
  const markRead = useCallback(
    (at: number) => void client.session.markRead.mutate({ sessionID, at }).catch(() => {}),
    [client, sessionID],
  )

  if (!window) {
    if (error) return <ErrorState title="This transcript cannot be shown" message={error.message} />
    return <TranscriptSpace />
  }
  if (rows.length === 0) return <div className={styles.empty}>{props.empty ?? <p>Nothing here yet.</p>}</div>
  return (
    <TaskStoreContext value={store}>
      <TranscriptActionsContext value={actions}>
        <VirtualTranscript
          key={sessionID}
          rows={rows}
          status={status}
          waiting={waiting}
          open={open}
          part={part}
          visit={visit}
          sentPrompts={props.sentPrompts ?? 0}
          unread={session && isUnread(session, person) ? (session.ended?.at ?? null) : null}
          markRead={markRead}
          undoneFrom={revert?.messageID ?? null}
          more={{ before: window.before !== null, after: window.after !== null }}
          loadBefore={loadBefore}
          loadAfter={loadAfter}
          loadLatest={loadLatest}
          onDrawn={onDrawn}
          label={`Transcript of ${session?.title ?? "the session"}`}
        />
      </TranscriptActionsContext>
    </TaskStoreContext>
  )
}

/** Opens the body of a part when the user jumps to a comment on it and this transcript shows it. */
function useRevealed(window: TranscriptWindow | undefined, setOpen: SetOpen): void {
  const commenting = useCommenting()
  const revealedID = useRevealedPart()
  const isShown = () => window?.messages.some(({ parts }) => parts.some(({ id }) => id === revealedID)) === true
  const partID = revealedID !== null && isShown() ? revealedID : null
  useEffect(() => {
    if (partID === null) return
    setOpen((open) => new Map(open).set(partID, true))
    commenting?.reveal(null)
  }, [partID, setOpen, commenting])
}

/** Loads more of the transcript. A failed load is tried again when the reader comes to that edge again. */
function usePages(store: TreeStore, sessionID: string) {
  return useMemo(
    () => ({
      loadBefore: () => void store.loadBefore(sessionID).catch(() => {}),
      loadAfter: () => void store.loadAfter(sessionID).catch(() => {}),
      loadLatest: () => void store.openLatest(sessionID),
    }),
    [store, sessionID],
  )
}

/** Rows that were open when the reader left. */
function openRows(arrival: Arrival): ReadonlyMap<string, boolean> {
  return new Map(arrival.at === "place" ? arrival.place.open : [])
}

type SetOpen = (change: (open: ReadonlyMap<string, boolean>) => ReadonlyMap<string, boolean>) => void

function useActions(
  { sessionID, onOpenSession, canPrompt = true, addressOf, onUndo, onUndoStep, onFork }: TranscriptProps,
  setOpen: SetOpen,
  isChild: boolean,
): TranscriptActions {
  const client = useTRPCClient()
  const { can } = useMe()
  return useMemo(
    () => ({
      setOpen: (partID, shown) => setOpen((open) => new Map(open).set(partID, shown)),
      addressOf: addressOf ?? ((partID) => partAddress(window.location, partID)),
      openSession: onOpenSession,
      retry:
        canPrompt && can("prompt")
          ? (text) => {
              const input = { sessionID, parts: [{ type: "text" as const, text }] }
              void client.session.promptAsync.mutate(input)
            }
          : null,
      isChild,
      undo: canPrompt && can("undo") && onUndo ? onUndo : null,
      undoStep: canPrompt && can("undo") && onUndoStep ? onUndoStep : null,
      fork: canPrompt && can("prompt") && onFork ? onFork : null,
    }),
    [client, sessionID, onOpenSession, canPrompt, addressOf, onUndo, onUndoStep, onFork, setOpen, isChild, can],
  )
}
