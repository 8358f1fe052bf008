"use client"

import { docketCode } from "@docket/client"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { ActionIcon } from "@mantine/core"
import { ClipboardCheck, History, Share2 } from "lucide-react"
import dynamic from "next/dynamic"
import { useRouter, useSearchParams } from "next/navigation"
import { useMemo, useState } from "react"
import { FirstRows, FirstScript } from "#first-rows"
import { useAppActions } from "../../shell/app-actions.tsx"
import { useAwaitedHost } from "../../shell/awaited-trees.ts"
import { ConnectionChip } from "../../shell/connection-chip.tsx"
import { Can, useMe } from "../../shell/me.tsx"
import { NoSession } from "../../shell/no-session.tsx"
import { ActionSpace, PageHeader } from "../../shell/page-header.tsx"
import { PageLink } from "../../shell/page-link.tsx"
import { useGo } from "../../shell/use-go.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { TranscriptSpace } from "../../ui/transcript-space.tsx"
import { useMedia } from "../../ui/use-media.ts"
import { TurnChanges, TurnChangesProvider } from "../changed-files/turn-changes.tsx"
import { useDiffView } from "../changed-files/use-diff-view.tsx"
import { ChildHeaderSpace } from "../child/child-header-space.tsx"
import { SessionsAbove } from "../child/sessions-above.tsx"
import { commentOnRow } from "../commenting/comment-on-row.ts"
import { type CommentStore, createCommentStore } from "../commenting/comment-store.ts"
import { hasSelectedText } from "../commenting/selected-text.ts"
import { CommentingProvider } from "../commenting/use-commenting.ts"
import { useKeys } from "../keyboard/use-keys.ts"
import { useTabTitle } from "../notify/use-tab-title.ts"
import { TreePresence } from "../presence/tree-presence.tsx"
import { Viewers } from "../presence/viewers.tsx"
import { useReplay } from "../replay/use-replay.ts"
import { SessionMenu } from "../session-menu/session-menu.tsx"
import behind from "../transcript/first/first-window.module.css"
import { FirstWindow } from "../transcript/first/first-window.tsx"
import { useFirstWindow } from "../transcript/first/use-first-window.ts"
import { TurnNoteContext } from "../transcript/rows/turn-note.ts"
import { useUndo } from "../undo/use-undo.ts"
import { ArchivedMark } from "./archived-mark.tsx"
import { Dock } from "./dock.tsx"
import { PrivateMark } from "./private-mark.tsx"
import type { FirstSessionView } from "./read-first-view.ts"
import { reviewHref } from "./review-href.ts"
import styles from "./session-page.module.css"
import { sibling } from "./sibling.ts"
import { SideRail } from "./side-rail.tsx"
import { tabTitle } from "./tab-title.ts"
import { type SessionView, useSessionView } from "./use-session-view.ts"
import { leadsBack } from "./way-back.ts"

// Loaded in parallel with the messages: the frame, its keys and the prompt field do not wait for it.
const Transcript = lazyPart(
  dynamic(() => loadPart(() => import("../transcript/transcript.tsx").then((it) => it.Transcript)), { ssr: false }),
  { loading: () => <TranscriptSpace /> },
)
const ChildHeader = lazyPart(
  dynamic(() => loadPart(() => import("../child/child-header.tsx").then((it) => it.ChildHeader))),
  { loading: () => <ChildHeaderSpace /> },
)
const SessionComments = lazyPart(
  dynamic(() => loadPart(() => import("../comments/session-comments.tsx").then((it) => it.SessionComments)), {
    ssr: false,
  }),
)
const Replay = lazyPart(
  dynamic(() => loadPart(() => import("../replay/replay.tsx").then((it) => it.Replay))),
  { loading: () => <TranscriptSpace /> },
)
const ForkDialog = lazyDialog(() => import("../session-menu/fork-dialog.tsx").then((it) => it.ForkDialog))
const SideSheet = lazyPart(dynamic(() => loadPart(() => import("./side-sheet.tsx").then((it) => it.SideSheet))))

export interface SessionPageProps {
  rootID: string
  childID: string | null
  /** Data sent with a full page load; null when the app navigates between pages. */
  first: FirstSessionView | null
}

/** One session of a tree: its transcript, requests and composer, and the right rail for its tree. */
export function SessionPage({ rootID, childID, first }: SessionPageProps) {
  const sessionID = childID ?? rootID
  const part = useSearchParams().get("part")
  // While `standing`, the server-rendered rows cover the live ones; `drop` removes them.
  const { standing, drop } = useFirstWindow(sessionID, first !== null)
  const view = useSessionView(sessionID, { rootID, part, seed: first?.seed ?? null })
  const { openSession, openPart, openAt } = useOpen(rootID)
  const replay = useReplay({ sessionID, store: view.store, openAt })
  // The width below which session-page.module.css hides the right rail.
  const narrow = useMedia("(max-width: 1179px)")
  useTitle(view)
  const [comments] = useState(createCommentStore)
  useTreeKeys(view, openSession, comments)
  useWayBack({ rootID, childID, part, inReplay: replay.at !== null })
  const { openDiff, diffView } = useDiffView(rootID, openPart)
  const undo = useUndo(sessionID, view.store)
  const [forkFrom, setForkFrom] = useState<string | null>(null)
  const [showUndone, setShowUndone] = useState(false)
  const [sentPrompts, setSentPrompts] = useState(0)

  const code = docketCode(view.error)
  const isMissing = view.removed || code === "session_not_found" || code === "invalid_input"
  if (isMissing) return <Gone sessionID={sessionID} removed={view.removed} />
  if (view.error && !view.loaded)
    return (
      <Frame title="Session">
        <ErrorState
          title="This session cannot be shown"
          message={view.error.message}
          onRetry={() => location.reload()}
        />
      </Frame>
    )
  const side = {
    rootID,
    sessionID,
    todos: view.todos,
    onOpenSession: openSession,
    onOpenPart: openPart,
    onOpenDiff: openDiff,
  }
  return (
    <CommentingProvider value={comments}>
      <TreePresence store={view.store} sessionID={view.session?.id ?? null} view="session">
        <div className={styles.page}>
          <Header
            view={view}
            rootID={rootID}
            isChild={childID !== null}
            sentSessions={first?.seed.snapshot.sessions ?? []}
            onReplay={replay.start}
          />
          {replay.at !== null ? (
            <Replay key={rootID} rootID={rootID} sessionID={sessionID} at={replay.at} {...replay.ways} />
          ) : (
            <div className={styles.columns}>
              <div className={styles.main}>
                <div className={styles.sheetBar}>{narrow ? <SideSheet {...side} /> : null}</div>
                {childID ? <ChildHeader sessionID={childID} sent={first} /> : null}
                <div className={`${behind.place} ${styles.transcript}`}>
                  <div className={`${behind.live} ${styles.live}`} data-behind={standing}>
                    <TurnChangesProvider rootID={rootID} onOpenDiff={openDiff}>
                      <TurnNoteContext value={turnNote}>
                        <Transcript
                          key={sessionID}
                          sessionID={sessionID}
                          part={part}
                          onOpenSession={openSession}
                          canPrompt={childID === null}
                          showUndone={showUndone}
                          sentPrompts={sentPrompts}
                          onUndo={undo.undo}
                          onUndoStep={undo.undoStep}
                          onFork={setForkFrom}
                          onDrawn={standing ? drop : undefined}
                          empty={<EmptySession agent={view.session?.agent ?? "agent"} />}
                        />
                      </TurnNoteContext>
                    </TurnChangesProvider>
                  </div>
                  {standing && first !== null ? (
                    <FirstWindow sessionID={sessionID} part={part}>
                      <FirstRows seed={first.seed} sessionID={sessionID} part={part} />
                    </FirstWindow>
                  ) : null}
                </div>
                <Dock
                  view={view}
                  undo={undo}
                  showUndone={showUndone}
                  onShowUndone={setShowUndone}
                  onSent={() => setSentPrompts((count) => count + 1)}
                />
              </div>
              <SideRail {...side} />
            </div>
          )}
          {diffView}
          {forkFrom !== null && view.session !== null ? (
            <ForkDialog session={view.session} messageID={forkFrom} onClose={() => setForkFrom(null)} />
          ) : null}
          {view.loaded ? <SessionComments rootID={rootID} store={comments} tree={view.store} /> : null}
          {standing && first !== null && replay.at === null ? <FirstScript nonce={first.nonce} /> : null}
        </div>
      </TreePresence>
    </CommentingProvider>
  )
}

const turnNote = (promptID: string) => <TurnChanges promptID={promptID} />

function useOpen(rootID: string) {
  const go = useGo()
  return useMemo(() => {
    const hrefOf = (id: string) => (id === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${id}`)
    return {
      openSession: (id: string) => go(hrefOf(id)),
      openPart: (id: string, part: string) => go(`${hrefOf(id)}?part=${part}`),
      openAt: (id: string, then: number) => go(`${hrefOf(id)}?at=${then}`),
    }
  }, [go, rootID])
}

/**
 * Esc returns to where the user was before they opened a child or followed a link to a part. During a replay, Esc
 * belongs to the replay.
 */
function useWayBack(at: { rootID: string; childID: string | null; part: string | null; inReplay: boolean }) {
  const { rootID, childID, part, inReplay } = at
  const router = useRouter()
  useKeys({
    Escape: () => {
      const isAway = childID !== null || part !== null
      if (inReplay || !isAway) return
      if (leadsBack()) router.back()
      else router.push(`/s/${rootID}`)
    },
  })
}

function useTitle(view: SessionView) {
  const { person } = useMe()
  const isAway = useAwaitedHost(view.session?.rootID) !== null
  useTabTitle(tabTitle({ session: view.session, tree: view.tree, requests: view.requests.length, isAway }, person))
}

function useTreeKeys(view: SessionView, openSession: (sessionID: string) => void, comments: CommentStore) {
  const { session, tree } = view
  const go = useGo()
  const openIfAny = (id: string | null | undefined) => {
    if (id) openSession(id)
  }
  useKeys({
    h: () => openIfAny(session?.parentID),
    l: () => openIfAny(tree.find((candidate) => candidate.parentID === session?.id)?.id),
    "Shift+J": () => openIfAny(session && sibling(session, tree, 1)?.id),
    "Shift+K": () => openIfAny(session && sibling(session, tree, -1)?.id),
    "g r": () => session && go(reviewHref(view)),
    c: (event) => {
      event.preventDefault()
      if (hasSelectedText()) return comments.wish({ kind: "selection" })
      document.querySelector<HTMLTextAreaElement>("[data-composer]")?.focus()
    },
    "Shift+C": commentOnRow,
  })
}

interface HeaderProps {
  view: SessionView
  rootID: string
  isChild: boolean
  /** The sessions of the tree, as they were sent with the page; shown until they are loaded. */
  sentSessions: readonly Session[]
  onReplay(): void
}

function Header({ view, rootID, isChild, sentSessions, onReplay }: HeaderProps) {
  const actions = useAppActions()
  const { session, sessions } = view
  const root = view.loaded ? sessions[rootID] : sentSessions.find(({ id }) => id === rootID)
  const title = root === undefined ? "" : shortTitle(root)
  return (
    <PageHeader
      actions={
        <>
          <Viewers store={view.store} />
          {session === null ? (
            <ActionSpace />
          ) : (
            <ActionIcon component={PageLink} href={reviewHref(view)} aria-label="Review" title="Review its tasks (g r)">
              <ClipboardCheck size={15} />
            </ActionIcon>
          )}
          <IconButton label="Replay" onClick={onReplay}>
            <History size={15} />
          </IconButton>
          <Can do="share">
            <IconButton label="Share…" onClick={() => actions.share(rootID)}>
              <Share2 size={15} />
            </IconButton>
          </Can>
          {session === null ? <ActionSpace /> : <SessionMenu session={session} />}
        </>
      }
    >
      {isChild && session ? <SessionsAbove session={session} sessions={sessions} /> : null}
      {isChild ? null : (
        <h1 className={styles.title}>{title || <span className="visually-hidden">Loading the session</span>}</h1>
      )}
      {sessions[rootID]?.time.archived == null ? null : <ArchivedMark rootID={rootID} />}
      {root === undefined ? null : <PrivateMark root={root} />}
      <ConnectionChip store={view.store} />
    </PageHeader>
  )
}

function Frame({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={styles.page}>
      <PageHeader>
        <h1 className={styles.title}>{title}</h1>
      </PageHeader>
      <div className={styles.main}>{children}</div>
    </div>
  )
}

function Gone({ sessionID, removed }: { sessionID: string; removed: boolean }) {
  return (
    <Frame title="No such session">
      <NoSession sessionID={sessionID} removed={removed} />
    </Frame>
  )
}

function EmptySession({ agent }: { agent: string }) {
  if (!useMe().can("prompt")) return <EmptyState>Nothing was said here yet.</EmptyState>
  return (
    <EmptyState>
      Tell {agent} what to do. It works in the project’s directory and asks you first where a rule says so.
    </EmptyState>
  )
}
