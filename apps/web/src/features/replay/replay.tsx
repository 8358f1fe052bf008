"use client"

import { createPastTrees } from "@docket/client/past-trees"
import { TreesProvider, useLiveTrees, useTRPC, useTranscript, useTreeState } from "@docket/client/react"
import { type Past, replayAxis, stopsOf } from "@docket/core/replay"
import { useQuery } from "@tanstack/react-query"
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { NowContext } from "../../ui/now-context.ts"
import { TranscriptSpace } from "../../ui/transcript-space.tsx"
import { useMedia } from "../../ui/use-media.ts"
import { Transcript } from "../transcript/transcript.tsx"
import styles from "./replay.module.css"
import { ReplayBar } from "./replay-bar.tsx"
import { ReplaySide } from "./replay-side.tsx"
import { ticksOf } from "./ticks.ts"
import { usePlayback } from "./use-playback.ts"

export interface ReplayProps {
  rootID: string
  /** The session that is shown. */
  sessionID: string
  /** Initial position (epoch ms). */
  at: number
  /** The user has stopped at a position. */
  onRest(at: number): void
  onLive(): void
  onOpenSession(sessionID: string, at: number): void
}

/** A tree at any time in its past: transcript, todos, subagents and cost, with a bar to move through time. */
export function Replay(props: ReplayProps) {
  const trpc = useTRPC()
  const past = useQuery(
    trpc.session.past.queryOptions({ sessionID: props.rootID }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }),
  )
  const store = useTranscript(props.sessionID, { rootID: props.rootID })
  const loaded = useTreeState(store, ({ tree }) => tree !== null)
  if (past.isLoadingError)
    return (
      <ErrorState
        title="The replay cannot be loaded"
        message={past.error.message}
        onRetry={() => void past.refetch()}
      />
    )
  if (past.data === undefined || !loaded) return <TranscriptSpace label="Loading the replay" />
  return <Player key={props.rootID} {...props} past={past.data} />
}

/** The address is updated when the user stays at a position this long (ms). */
const restMs = 300

function Player({ past, onRest, ...props }: ReplayProps & { past: Past }) {
  const { rootID, sessionID } = props
  const live = useLiveTrees()
  // The state when the replay was opened: later events are shown on the live page.
  const { axis, stops, ticks } = useMemo(() => {
    const tree = live.tree(sessionID, rootID).get().tree
    const found = stopsOf({ sessions: tree?.sessions ?? {}, tasks: tree?.tasks ?? {} }, past)
    const times = found.map(({ at }) => at)
    const line = replayAxis(times)
    return { axis: line, stops: times, ticks: ticksOf(found, line) }
  }, [live, past, rootID, sessionID])
  const playback = usePlayback(props.at, axis, stops)
  const { at, playing } = playback
  const [trees] = useState(() => createPastTrees(live, past, at))
  useLayoutEffect(() => trees.seek(at), [trees, at])
  // What is drawn inside takes the shown position for the present.
  const now = useRef(at)
  now.current = at
  const clock = useCallback(() => now.current, [])
  const store = trees.tree(sessionID, rootID)
  useEffect(() => {
    if (playing) return
    const timer = setTimeout(() => {
      onRest(at)
      void store.openLatest(sessionID)
    }, restMs)
    return () => clearTimeout(timer)
  }, [playing, at, onRest, store, sessionID])
  const onOpenSession = (id: string) => props.onOpenSession(id, now.current)
  const narrow = useMedia("(max-width: 1179px)")
  const side = <ReplaySide rootID={rootID} sessionID={sessionID} onOpenSession={onOpenSession} />
  return (
    <TreesProvider trees={trees}>
      <NowContext value={clock}>
        <div className={styles.replay}>
          <div className={styles.columns}>
            <div className={styles.main}>
              {!narrow ? null : (
                <details className={styles.sheet}>
                  <summary>Todos, subagents and cost then</summary>
                  {side}
                </details>
              )}
              <PastTranscript rootID={rootID} sessionID={sessionID} onOpenSession={onOpenSession} />
            </div>
            {narrow ? null : (
              <aside className={styles.side} aria-label="The tree then">
                {side}
              </aside>
            )}
          </div>
          <ReplayBar playback={playback} axis={axis} ticks={ticks} onLive={props.onLive} />
        </div>
      </NowContext>
    </TreesProvider>
  )
}

/** The transcript at the chosen time. */
function PastTranscript({ rootID, sessionID, onOpenSession }: Parameters<typeof ReplaySide>[0]) {
  const store = useTranscript(sessionID, { rootID })
  const exists = useTreeState(store, ({ tree }) => tree?.sessions[sessionID] !== undefined)
  return (
    <div className={styles.transcript}>
      {exists ? (
        <Transcript
          sessionID={sessionID}
          onOpenSession={onOpenSession}
          canPrompt={false}
          empty={<EmptyState>Nothing was said yet.</EmptyState>}
        />
      ) : (
        <EmptyState>This session had not begun.</EmptyState>
      )}
    </div>
  )
}
