"use client"

import { Menu } from "@mantine/core"
import { Archive, ArchiveRestore, ClipboardCheck, FileDown, GitFork, Pencil, Trash2 } from "lucide-react"
import { useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Can, useMe } from "../../shell/me.tsx"
import { PageLink } from "../../shell/page-link.tsx"
import { PageMenu } from "../../shell/page-menu.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { mayRemove } from "./may-remove.ts"
import styles from "./session-menu.module.css"
import { SessionMenuButton, type SessionMenuProps } from "./session-menu-button.tsx"
import { useSessionUpdate } from "./use-session-update.ts"
import { VisibilityItem } from "./visibility-item.tsx"

const RenameDialog = lazyDialog(() => import("./rename-dialog.tsx").then((it) => it.RenameDialog))
const ForkDialog = lazyDialog(() => import("./fork-dialog.tsx").then((it) => it.ForkDialog))
const DeleteDialog = lazyDialog(() => import("./delete-dialog.tsx").then((it) => it.DeleteDialog))

const ExportDialog = lazyDialog(() => import("../transfer/export-dialog.tsx").then((it) => it.ExportDialog))

type Dialog = "rename" | "fork" | "export" | "delete" | null

export function SessionActions(props: SessionMenuProps) {
  const { session } = props
  const [dialog, setDialog] = useState<Dialog>(null)
  const archived = session.time.archived !== null
  const { update, refresh } = useSessionUpdate()
  const announce = useAnnounce()
  const rights = useMe()
  const archive = async () => {
    await update.mutateAsync({ sessionID: session.id, archived: !archived })
    announce(archived ? "Brought back" : "Archived")
    refresh()
  }
  return (
    <>
      <PageMenu
        position="bottom-end"
        width={180}
        returnFocus
        // Inside a row of the rail, the menu would be clipped.
        withinPortal={props.opened !== undefined}
        {...(props.opened === undefined ? { defaultOpened: true } : { opened: props.opened })}
        {...(props.onChange ? { onChange: props.onChange } : {})}
      >
        <Menu.Target>
          <SessionMenuButton {...props} />
        </Menu.Target>
        <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
          <Can do="prompt">
            <Menu.Item leftSection={<Pencil size={14} />} onClick={() => setDialog("rename")}>
              Rename…
            </Menu.Item>
          </Can>
          <Menu.Item leftSection={<ClipboardCheck size={14} />} component={PageLink} href={`/review/${session.rootID}`}>
            Review
          </Menu.Item>
          <Menu.Item leftSection={<FileDown size={14} />} onClick={() => setDialog("export")}>
            Export…
          </Menu.Item>
          {session.parentID === null && rights.can("prompt") ? (
            <Menu.Item leftSection={<GitFork size={14} />} onClick={() => setDialog("fork")}>
              Fork…
            </Menu.Item>
          ) : null}
          {session.parentID === null && rights.can("prompt") ? (
            <Menu.Item
              leftSection={archived ? <ArchiveRestore size={14} /> : <Archive size={14} />}
              onClick={() => archive().catch(showProblem)}
            >
              {archived ? "Bring back" : "Archive"}
            </Menu.Item>
          ) : null}
          <VisibilityItem session={session} />
          {mayRemove(session, rights) ? (
            <Menu.Item
              className={styles.danger ?? ""}
              leftSection={<Trash2 size={14} />}
              onClick={() => setDialog("delete")}
            >
              Delete…
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </PageMenu>
      {dialog === "rename" ? <RenameDialog session={session} onClose={() => setDialog(null)} /> : null}
      {dialog === "fork" ? <ForkDialog session={session} onClose={() => setDialog(null)} /> : null}
      {dialog === "export" ? <ExportDialog session={session} onClose={() => setDialog(null)} /> : null}
      {dialog === "delete" ? <DeleteDialog session={session} onClose={() => setDialog(null)} /> : null}
    </>
  )
}
