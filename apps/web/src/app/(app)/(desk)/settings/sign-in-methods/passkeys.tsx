"use client"

import { Button, TextInput } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState, useSyncExternalStore } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import entries from "../../../../../ui/entries.module.css"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { createPasskey, hasPasskeys } from "../../../(signed-out)/passkey.ts"
import { send } from "../../../(signed-out)/send.ts"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import settings from "../settings.module.css"
import styles from "./methods.module.css"
import { PasskeyName } from "./passkey-name.tsx"
import { type Passkey, passkeysKey, usePasskeys } from "./use-methods.ts"

const field = "passkey-name"

/** A subscription without changes: what is read stays the same while the page is open. */
const never = () => () => {}

/** The user's passkeys: on a phone, a laptop, or a security key. */
export function Passkeys() {
  const passkeys = usePasskeys()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [renamingID, setRenamingID] = useState<string | null>(null)
  const [toRemove, setToRemove] = useState<Passkey | null>(null)
  const canMake = useSyncExternalStore(never, hasPasskeys, () => true)
  const reload = () => queries.invalidateQueries({ queryKey: passkeysKey })
  const remove = async ({ id }: Passkey) => {
    const sent = await send("passkey/delete-passkey", { id })
    if (!sent.ok) throw new Error(sent.message)
    announce("The passkey is removed")
    await reload()
  }
  if (passkeys.data === undefined) return <p className={styles.text}>{passkeys.error?.message ?? "One moment."}</p>
  return (
    <div className={styles.panel}>
      <p className={styles.text}>
        Sign in with the fingerprint, face or PIN of a device, without password and code. Nobody can phish it.
      </p>
      {passkeys.data.length === 0 ? null : (
        <ul aria-label="Passkeys">
          {passkeys.data.map((passkey) => (
            <PasskeyLine
              key={passkey.id}
              passkey={passkey}
              isRenaming={renamingID === passkey.id}
              onRename={(on) => setRenamingID(on ? passkey.id : null)}
              onRemove={() => setToRemove(passkey)}
            />
          ))}
        </ul>
      )}
      {canMake ? (
        <NewPasskey onAdded={reload} />
      ) : (
        <p className={styles.text}>This browser makes passkeys only over TLS, or is too old for them.</p>
      )}
      {toRemove === null ? null : (
        <LazyConfirmDialog
          title={`Remove ${toRemove.name || "the passkey"}?`}
          action="Remove it"
          confirm={() => remove(toRemove)}
          onClose={() => setToRemove(null)}
          next={`#${field}`}
        >
          It lets nobody in any more. The device may still offer it; delete it there too.
        </LazyConfirmDialog>
      )}
    </div>
  )
}

function NewPasskey({ onAdded }: { onAdded(): Promise<void> }) {
  const announce = useAnnounce()
  const [name, setName] = useState("")
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    const made = await createPasskey(name.trim())
    setBusy(false)
    if (!made.ok) return setProblem(made.message)
    setName("")
    announce("The passkey is added")
    await onAdded()
  }
  return (
    <form className={styles.row} onSubmit={add}>
      <TextInput
        id={field}
        className={styles.field ?? ""}
        label="Name of the new one"
        placeholder="My laptop"
        autoComplete="off"
        maxLength={60}
        required
        withAsterisk={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy}>
        Add a passkey
      </Button>
      {problem === null ? null : (
        <p role="alert" className={entries.problem}>
          {problem}
        </p>
      )}
    </form>
  )
}

interface PasskeyLineProps {
  passkey: Passkey
  isRenaming: boolean
  onRename(on: boolean): void
  onRemove(): void
}

function PasskeyLine({ passkey, isRenaming, onRename, onRemove }: PasskeyLineProps) {
  return (
    <li className={`${entries.item} ${settings.line}`}>
      <span className={settings.text}>
        <span className={settings.name}>{passkey.name || "Passkey"}</span>
        {passkey.createdAt ? (
          <span className={settings.meta}>
            added <RelativeTime time={Date.parse(passkey.createdAt)} />
          </span>
        ) : null}
      </span>
      {isRenaming ? (
        <PasskeyName passkey={passkey} onDone={() => onRename(false)} />
      ) : (
        <>
          <Button aria-label={`Rename ${passkey.name || "Passkey"}`} onClick={() => onRename(true)}>
            Rename
          </Button>
          <Button aria-label={`Remove ${passkey.name || "Passkey"}`} onClick={onRemove}>
            Remove
          </Button>
        </>
      )}
    </li>
  )
}
