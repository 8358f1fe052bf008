"use client"

import { Button, TextInput } from "@mantine/core"
import { type FormEvent, lazy, Suspense, useState } from "react"
import { useCopy } from "../../../../../shell/use-copy.ts"
import entries from "../../../../../ui/entries.module.css"
import { send } from "../../../(signed-out)/send.ts"
import styles from "./methods.module.css"

const QrCode = lazy(() => import("./qr-code.tsx").then((it) => ({ default: it.QrCode })))

interface TotpSetUpProps {
  /** The address for the authenticator app (`otpauth:`). */
  totpURI: string
  onDone(): Promise<void>
  onCancel(): void
}

/** Sets up an authenticator app, and requires one valid code before sign-in needs codes. */
export function TotpSetUp({ totpURI, onDone, onCancel }: TotpSetUpProps) {
  const copy = useCopy()
  const [code, setCode] = useState("")
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const secret = new URL(totpURI).searchParams.get("secret") ?? ""
  const verify = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const sent = await send("two-factor/verify-totp", { code: code.replaceAll(" ", "") })
    if (sent.ok) return onDone()
    setProblem(sent.message)
    setBusy(false)
  }
  return (
    <div className={styles.setUp}>
      <Suspense fallback={<div className={styles.code} />}>
        <QrCode text={totpURI} label="QR code for an authenticator app" />
      </Suspense>
      <form className={styles.steps} onSubmit={verify}>
        <p className={styles.text}>
          Scan it with an authenticator app, or type this key there:{" "}
          <span className={styles.secret}>{inGroups(secret)}</span>
        </p>
        <TextInput
          className={styles.field ?? ""}
          label="The code that the app shows"
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {problem === null ? null : (
          <p role="alert" className={entries.problem}>
            {problem}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" variant="filled" loading={busy}>
            Turn on
          </Button>
          <Button onClick={() => void copy(secret, "the key")}>Copy the key</Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </form>
    </div>
  )
}

/** Splits the secret into groups of four letters, which are easier to type. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret
}
