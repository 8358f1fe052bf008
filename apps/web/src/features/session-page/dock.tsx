"use client"

import { useTRPC, useTree, useTreeState } from "@docket/client/react"
import type { ModelRef, Session, TaskSummary } from "@docket/core/schema"
import { newestTasks } from "@docket/core/work-status"
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { Square } from "lucide-react"
import dynamic from "next/dynamic"
import { type RefObject, useRef } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useAwaitedHost } from "../../shell/awaited-trees.ts"
import type { Command } from "../../shell/commands.tsx"
import { useMe } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { useDeskCommands } from "../../shell/use-desk-commands.ts"
import dock from "../../ui/dock.module.css"
import { ErrorState } from "../../ui/error-state.tsx"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { ChildNote } from "../child/child-note.tsx"
import { ChildComposer } from "../composer/child-composer.tsx"
import { Composer } from "../composer/composer.tsx"
import { ComposerSpace } from "../composer/composer-space.tsx"
import { takenBack } from "../composer/queued-prompt.ts"
import { QueuedPrompts } from "../composer/queued-prompts.tsx"
import { ReadAlong } from "../composer/read-along.tsx"
import { TrustNotice } from "../project-trust/trust-notice.tsx"
import { type ChildMessaging, childMessaging } from "../task/child-messaging.ts"
import { isUndone } from "../tree/is-undone.ts"
import { UndoDock } from "../undo/undo-dock.tsx"
import type { Undo } from "../undo/use-undo.ts"
import { AwaitedNote } from "./awaited-note.tsx"
import { RepositoryNote } from "./repository-note.tsx"
import styles from "./session-page.module.css"
import { StoringNote } from "./storing-note.tsx"
import { useSessionCommands } from "./use-session-commands.ts"
import { type SessionView, useSessionSetting } from "./use-session-view.ts"

const AskCard = lazyPart(dynamic(() => loadPart(() => import("../asks/ask-card.tsx").then((it) => it.AskCard))))

interface DockProps {
  view: SessionView
  undo: Undo
  /** Whether the undone part is shown in the transcript. */
  showUndone: boolean
  onShowUndone(shown: boolean): void
  /** A prompt was sent from here. */
  onSent(): void
}

/** The area below the transcript: the trust notice, open permission requests, the undo notice, then the composer. */
export function Dock({ view, undo, showUndone, onShowUndone, onSent }: DockProps) {
  const { session } = view
  const { can } = useMe()
  const sending = useRef<Promise<unknown>>(Promise.resolve())
  const stop = useStop(session, sending, undo)
  const commands = useSessionCommands(view, undo, stop)
  const awaited = useAwaitedHost(session?.rootID)
  return (
    <div className={`${dock.dock} ${styles.dock}`}>
      {session === null ? null : <TrustNotice key={session.projectID} projectID={session.projectID} />}
      {view.requests.length > 0 ? <AskCard requests={view.requests} sessions={view.tree} /> : null}
      {session?.revert ? (
        <UndoDock
          revert={session.revert}
          shown={showUndone}
          pending={undo.pending}
          onShow={onShowUndone}
          onRedo={can("undo") ? () => void undo.redo() : null}
        />
      ) : null}
      {session?.repository === undefined ? null : <RepositoryNote repository={session.repository} />}
      {awaited === null ? null : <AwaitedNote host={awaited} />}
      {session?.status.type === "storing" ? <StoringNote reason={session.status.message} /> : null}
      {session === null ? (
        <ComposerSpace />
      ) : !can("prompt") ? (
        <>
          <QueuedPrompts turns={view.queued} takenBack={view.takenBack} />
          <ReadAlong />
        </>
      ) : session.parentID === null ? (
        <RootComposer
          key={session.id}
          session={session}
          view={view}
          undo={undo}
          onSent={onSent}
          onStop={stop}
          sending={sending}
          commands={commands}
        />
      ) : (
        <ChildBar session={session} onStop={stop} onSent={onSent} />
      )}
    </div>
  )
}

/**
 * Stops the session. Queued prompts are withdrawn, and their text and files return to the prompt field. A prompt that
 * is still being sent is stopped after it has arrived.
 */
function useStop(session: Session | null, sending: RefObject<Promise<unknown>>, { restore }: Undo): () => void {
  const { id: sessionID = "", parentID = null } = session ?? {}
  const trpc = useTRPC()
  const announce = useAnnounce()
  const { mutateAsync } = useMutation(
    trpc.session.abort.mutationOptions({ onSuccess: () => announce("Stopped"), onError: showProblem }),
  )
  return () => {
    const stopped = sending.current.catch(() => undefined).then(() => mutateAsync({ sessionID }))
    // `onError` has shown the error. Callbacks passed to `mutate` would be lost by a second press.
    stopped.then(
      ({ withdrawn }) => {
        const returned = parentID === null ? takenBack(withdrawn) : null
        if (returned) restore(returned)
      },
      () => undefined,
    )
  }
}

interface RootComposerProps extends Pick<DockProps, "view" | "undo" | "onSent"> {
  session: Session
  onStop: () => void
  /** The last prompt; resolves when the service has answered. */
  sending: RefObject<Promise<unknown>>
  commands: readonly Command[]
}

function RootComposer({ session, view, undo, onSent, onStop, sending, commands }: RootComposerProps) {
  const trpc = useTRPC()
  const setting = useSessionSetting(session)
  const prompt = useMutation(trpc.session.promptAsync.mutationOptions({ onSuccess: onSent }))
  const update = useMutation(trpc.session.update.mutationOptions({ onError: showProblem }))
  const setPreset = useMutation(trpc.session.setPreset.mutationOptions({ onError: showProblem }))
  const connection = useTreeState(useTree(session.id), (state) => state.connection)
  const desk = useDeskCommands()
  if (setting.error) return <ErrorState title="The composer cannot be loaded" message={setting.error.message} />
  if (!setting.project) return <ComposerSpace />
  // The next prompt is queued while the session itself works; work of its child sessions does not queue it.
  const queues = session.status.type !== "idle"
  const busy = view.tree.some((member) => member.status.type !== "idle")
  return (
    <Composer
      draftKey={session.id}
      sessionID={session.id}
      project={setting.project}
      agents={setting.agents}
      agent={session.agent}
      providers={setting.providers}
      model={setting.model}
      busy={busy}
      queues={queues}
      connected={connection === "live"}
      queued={view.queued}
      takenBack={view.takenBack}
      placeholder={queues ? "Queue the next prompt" : `Ask ${session.agent}`}
      onWithdraw={(turn) => undo.restore(takenBack([turn]))}
      onSend={(parts) => {
        sending.current = prompt.mutateAsync({ sessionID: session.id, parts })
        return sending.current
      }}
      commands={[...commands, ...desk]}
      restoring={undo}
      onStop={onStop}
      onAgent={(agent) => update.mutate({ sessionID: session.id, agent })}
      onModel={(model: ModelRef) => update.mutate({ sessionID: session.id, model })}
      variant={session.variant ?? null}
      onVariant={(variant) => update.mutate({ sessionID: session.id, variant })}
      preset={session.preset?.name ?? null}
      chosenPreset={session.preset ?? null}
      onPreset={(preset) => setPreset.mutateAsync({ sessionID: session.id, preset }).catch(() => {})}
    />
  )
}

function ChildBar({ session, onStop, onSent }: { session: Session; onStop(): void; onSent(): void }) {
  const store = useTree(session.id)
  const task = useTreeState(
    store,
    (state) => newestTasks(Object.values(state.tree?.tasks ?? {})).get(session.id) ?? null,
  )
  const busy = session.status.type !== "idle"
  const messaging = messagingFor(session, task)
  if (task !== null && messaging.how !== null)
    return (
      <ChildComposer key={session.id} task={task} how={messaging.how} busy={busy} onStop={onStop} onSent={onSent} />
    )
  return (
    <div className={styles.childBar}>
      <ChildNote agent={session.agent} why={messaging.how === null ? messaging.why : ""} />
      {busy ? (
        <Button leftSection={<Square size={12} fill="currentColor" aria-hidden />} onClick={onStop}>
          Stop this subagent
        </Button>
      ) : null}
    </div>
  )
}

function messagingFor(session: Session, task: TaskSummary | null): ChildMessaging {
  if (isUndone(session)) return { how: null, why: "It is undone with the prompt that it worked for." }
  if (task === null) return { how: null, why: "It takes its work from the session above." }
  return childMessaging(task)
}
