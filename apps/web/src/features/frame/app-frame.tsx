"use client"

import { useListSync, useTRPC } from "@docket/client/react"
import type { Session } from "@docket/core/schema"
import { useQueryClient } from "@tanstack/react-query"
import dynamic from "next/dynamic"
import { useParams, useRouter } from "next/navigation"
import { type ReactNode, Suspense, useCallback, useMemo, useState } from "react"
import { type AppActions, AppActionsContext } from "../../shell/app-actions.tsx"
import { FollowAwaited } from "../../shell/awaited-trees.ts"
import { holdForPrompt } from "../../shell/hold-for-prompt.ts"
import { lastProject } from "../../shell/last-project.ts"
import { useMe } from "../../shell/me.tsx"
import { inbox, places } from "../../shell/places.ts"
import { showProblem } from "../../shell/show-problem.ts"
import { useNewSession } from "../../shell/use-new-session.ts"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { useMedia } from "../../ui/use-media.ts"
import { useKeys } from "../keyboard/use-keys.ts"
import { SessionRail } from "../session-rail/session-rail.tsx"
import styles from "./app-frame.module.css"

const BackgroundWork = lazyPart(
  dynamic(() => loadPart(() => import("./afterwards.tsx").then((it) => it.BackgroundWork)), { ssr: false }),
  { note: "corner" },
)
const KeyboardHelp = lazyDialog(() => import("../keyboard/keyboard-help.tsx").then((it) => it.KeyboardHelp))
const ProjectPicker = lazyDialog(() => import("../project-picker/project-picker.tsx").then((it) => it.ProjectPicker))
const ShareDialog = lazyDialog(() => import("../share-dialog/share-dialog.tsx").then((it) => it.ShareDialog))
const RenameDialog = lazyDialog(() => import("../session-menu/rename-dialog.tsx").then((it) => it.RenameDialog))
const DeleteDialog = lazyDialog(() => import("../session-menu/delete-dialog.tsx").then((it) => it.DeleteDialog))
const ImportDialog = lazyDialog(() => import("../transfer/import-dialog.tsx").then((it) => it.ImportDialog))
const RailDrawer = lazyDialog(() => import("./rail-drawer.tsx").then((it) => it.RailDrawer))
const Palette = lazyDialog(() => import("../palette/palette.tsx").then((it) => it.Palette))

type Dialog =
  | { kind: "palette" | "help" | "project" | "import" }
  | { kind: "share"; rootID: string; shareID: string | undefined }
  | { kind: "rename" | "remove"; session: Session }

/** The signed-in frame: session rail, page, and the dialogs that keys and buttons open from anywhere. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { can, person } = useMe()
  // `person` is "" for somebody who is not signed in.
  useListSync(person || undefined)
  const router = useRouter()
  const [drawerOpened, setDrawerOpened] = useState(false)
  /** The drawer stays mounted after its first use. */
  const [drawerUsed, setDrawerUsed] = useState(false)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  const newSession = useNewSession()
  const currentProject = useCurrentProject()
  // The width from which app-frame.module.css shows the rail. The server does not know the width, so it always renders
  // the rail. The Suspense boundary hydrates it after the page: on a narrow screen it is already gone by then.
  const wide = useMedia("(min-width: 768px)", true)
  const actions = useMemo<AppActions>(
    () => ({
      openPalette: () => setDialog({ kind: "palette" }),
      openHelp: () => setDialog({ kind: "help" }),
      openProject: () => setDialog({ kind: "project" }),
      importSession: () => setDialog({ kind: "import" }),
      openRail: () => {
        setDrawerUsed(true)
        setDrawerOpened(true)
      },
      share: (rootID, shareID) => setDialog({ kind: "share", rootID, shareID }),
      rename: (session) => setDialog({ kind: "rename", session }),
      remove: (session) => setDialog({ kind: "remove", session }),
      newSession: () => {
        setDrawerOpened(false)
        // Keys that the user types meanwhile are for the prompt field of the page that opens.
        const hold = holdForPrompt()
        currentProject().then(
          (projectID) => {
            if (projectID !== null) return newSession(projectID, hold)
            hold.end()
            if (can("projects.manage")) setDialog({ kind: "project" })
            else router.push("/s/new")
          },
          (error: unknown) => {
            hold.end()
            showProblem(error)
          },
        )
      },
    }),
    [newSession, currentProject, can, router],
  )
  useKeys({
    "$mod+KeyK": (event) => {
      event.preventDefault()
      actions.openPalette()
    },
    "Shift+?": actions.openHelp,
    ...(can("prompt") && {
      n: (event: KeyboardEvent) => {
        event.preventDefault()
        actions.newSession()
      },
    }),
    ...Object.fromEntries([inbox, ...places].map(({ key, href }) => [`g ${key}`, () => router.push(href)])),
  })
  return (
    <AppActionsContext value={actions}>
      {person === "" ? null : <FollowAwaited />}
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <div className={styles.frame}>
        <aside className={styles.rail} aria-label="Session rail">
          {wide ? (
            <Suspense>
              <SessionRail />
            </Suspense>
          ) : null}
        </aside>
        <main id="content" className={styles.content} tabIndex={-1}>
          {children}
        </main>
      </div>
      <BackgroundWork />
      {drawerUsed ? <RailDrawer opened={drawerOpened} onClose={() => setDrawerOpened(false)} /> : null}
      {dialog === null ? null : (
        <OpenDialog
          dialog={dialog}
          onClose={close}
          onOpened={(projectID) => {
            close()
            newSession(projectID)
          }}
        />
      )}
    </AppActionsContext>
  )
}

interface OpenDialogProps {
  dialog: Dialog
  onClose(): void
  onOpened(projectID: string): void
}

function OpenDialog({ dialog, onClose, onOpened }: OpenDialogProps) {
  switch (dialog.kind) {
    case "palette":
      return <Palette onClose={onClose} />
    case "help":
      return <KeyboardHelp opened onClose={onClose} />
    case "project":
      return <ProjectPicker opened onClose={onClose} onOpened={({ id }) => onOpened(id)} />
    case "import":
      return <ImportDialog onClose={onClose} />
    case "rename":
      return <RenameDialog session={dialog.session} onClose={onClose} />
    case "remove":
      return <DeleteDialog session={dialog.session} onClose={onClose} />
    case "share":
      return <ShareDialog rootID={dialog.rootID} shareID={dialog.shareID} onClose={onClose} />
  }
}

/** The project of the session on screen, else the one that was used last; null when there is none. */
function useCurrentProject(): () => Promise<string | null> {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { root } = useParams<{ root?: string }>()
  return useCallback(async () => {
    const shown =
      root === undefined
        ? null
        : await queries.ensureQueryData(trpc.session.get.queryOptions({ sessionID: root })).catch(() => null)
    if (shown !== null) return shown.projectID
    return lastProject(await queries.ensureQueryData(trpc.project.list.queryOptions()))?.id ?? null
  }, [queries, trpc, root])
}
