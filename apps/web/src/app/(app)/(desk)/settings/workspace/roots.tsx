"use client"

import { Button, TextInput } from "@mantine/core"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import settings from "../settings.module.css"
import { useWorkspaceUpdate } from "./use-workspace-update.ts"
import styles from "./workspace.module.css"

interface RootsProps {
  /** Null: any directory is allowed. */
  roots: readonly string[] | null
  mayChange: boolean
}

/** The directories that may contain projects of the workspace. */
export function Roots({ roots, mayChange }: RootsProps) {
  return (
    <>
      {roots === null ? (
        <p className={settings.warning}>
          Projects may lie in any directory of the server. Name the directories that they may lie in before you let
          others in.
        </p>
      ) : roots.length === 0 ? (
        <p className={settings.hint}>No project can be opened until a directory is named.</p>
      ) : (
        <ul aria-label="Directories">
          {roots.map((root) => (
            <Root key={root} root={root} roots={roots} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {mayChange ? <AddRoot roots={roots ?? []} isFirst={roots === null} /> : null}
      <p className={settings.hint}>
        Projects and the files that agents open lie in these directories. An administrator may name any that the service
        can read, unless whoever runs it says where they may lie, but none of another workspace and none of Docket’s
        own.
      </p>
    </>
  )
}

function Root({ root, roots, mayChange }: { root: string; roots: readonly string[]; mayChange: boolean }) {
  const announce = useAnnounce()
  const [asking, setAsking] = useState(false)
  const update = useWorkspaceUpdate()
  return (
    <li className={settings.provider}>
      <div className={settings.line}>
        <code className={styles.root}>{root}</code>
        {mayChange ? (
          <Button color="red" variant="subtle" aria-label={`Remove ${root}`} onClick={() => setAsking(true)}>
            Remove…
          </Button>
        ) : null}
      </div>
      {asking ? (
        <LazyConfirmDialog
          title="Remove a directory"
          action="Remove"
          confirm={async () => {
            await update.mutateAsync({ roots: roots.filter((each) => each !== root) })
            announce(`${root} is removed`)
          }}
          onClose={() => setAsking(false)}
          next="#roots"
        >
          Projects in {root} are not found any more. Their sessions can still be read; what needs their files, such as
          prompts, is refused. Nothing in the directory changes.
        </LazyConfirmDialog>
      ) : null}
    </li>
  )
}

function AddRoot({ roots, isFirst }: { roots: readonly string[]; isFirst: boolean }) {
  const announce = useAnnounce()
  const [typed, setTyped] = useState("")
  const update = useWorkspaceUpdate()
  const add = async () => {
    await update.mutateAsync({ roots: [...roots, typed.trim()] })
    announce("The directory is added")
    setTyped("")
  }
  return (
    <form
      className={settings.lookForm}
      onSubmit={(event) => {
        event.preventDefault()
        add().catch(() => {})
      }}
    >
      <TextInput
        className={settings.keyField ?? ""}
        aria-label={isFirst ? "Directory that projects may lie in" : "Another directory"}
        placeholder="/srv/projects"
        spellCheck={false}
        value={typed}
        error={update.error?.message}
        onChange={(event) => {
          update.reset()
          setTyped(event.currentTarget.value)
        }}
      />
      <Button type="submit" disabled={typed.trim() === ""} loading={update.isPending}>
        {isFirst ? "Allow only this one" : "Add"}
      </Button>
    </form>
  )
}
