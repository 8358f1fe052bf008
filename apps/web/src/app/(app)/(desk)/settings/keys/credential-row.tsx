"use client"

import { Button } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import settings from "../settings.module.css"

interface CredentialRowProps {
  /** The kind of credential, for labels. */
  kind: "key" | "token"
  name: string
  /** Shown beside the name. */
  beside?: ReactNode
  /** What a key may do; undefined for a token. */
  reach?: string
  /** Who created it and when, and when it expires. */
  made: ReactNode
  /** Last use (epoch ms); null: never. */
  used: number | null
  revoke(): Promise<unknown>
  /** Selector of the element that gets focus when the row is gone. */
  next: string
}

/** A credential of a program for this workspace: its kind, its last use, and a button to revoke it. */
export function CredentialRow({ kind, name, beside, reach, made, used, revoke, next }: CredentialRowProps) {
  const announce = useAnnounce()
  const [asking, setAsking] = useState(false)
  return (
    <li className={settings.provider}>
      <div className={settings.line}>
        <span className={settings.text}>
          <span className={settings.name}>
            {name} {beside}
          </span>
          {reach === undefined ? null : <span className={settings.meta}>{reach}</span>}
          <span className={settings.meta}>
            {made} ·{" "}
            {used === null ? (
              "never used"
            ) : (
              <>
                last used <RelativeTime time={used} />
              </>
            )}
          </span>
        </span>
        <Button color="red" variant="subtle" aria-label={`Revoke the ${kind} ${name}`} onClick={() => setAsking(true)}>
          Revoke…
        </Button>
      </div>
      {asking ? (
        <LazyConfirmDialog
          title={`Revoke “${name}”`}
          action="Revoke"
          confirm={async () => {
            await revoke()
            announce(`The ${kind} does not work any more`)
          }}
          onClose={() => setAsking(false)}
          next={next}
        >
          Programs that use this {kind} are refused from now on. This cannot be undone.
        </LazyConfirmDialog>
      ) : null}
    </li>
  )
}
