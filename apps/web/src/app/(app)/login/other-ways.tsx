"use client"

import { Button } from "@mantine/core"
import { Fingerprint } from "lucide-react"
import { useState, useSyncExternalStore } from "react"
import { hasPasskeys, signInByPasskey } from "../(signed-out)/passkey.ts"
import { type Sent, send } from "../(signed-out)/send.ts"
import styles from "./login.module.css"
import { providerProblem, type SignInProvider } from "./providers.ts"
import { readNext } from "./redeem-code.ts"

/** A subscription without changes: what is read stays the same while the page is open. */
const never = () => () => {}

/** Sign-in methods without a Docket password. */
export function OtherWays({ providers }: { providers: readonly SignInProvider[] }) {
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // Assumed during server rendering, because most browsers support them: so no button appears late.
  const showsPasskeys = useSyncExternalStore(never, hasPasskeys, () => true)
  const refused = useSyncExternalStore(
    never,
    () => providerProblem(location.search),
    () => null,
  )
  const next = () => readNext(location.search, location.origin)
  const finish = async (way: string, sent: Promise<Sent<{ url?: string }>>) => {
    setBusy(way)
    setProblem(null)
    const answer = await sent
    if (answer.ok) return location.replace(answer.data.url ?? next())
    setBusy(null)
    setProblem(answer.message)
  }
  const byPasskey = async (): Promise<Sent<object>> => {
    const sent = await signInByPasskey()
    return sent.ok ? { ok: true, data: {} } : sent
  }
  const message = problem ?? refused
  if (!showsPasskeys && providers.length === 0) return null
  return (
    <div className={styles.ways}>
      <p className={styles.or}>or</p>
      {showsPasskeys ? (
        <Button
          size="md"
          variant="default"
          leftSection={<Fingerprint size={16} aria-hidden />}
          loading={busy === "passkey"}
          disabled={busy !== null}
          onClick={() => void finish("passkey", byPasskey())}
        >
          Sign in with a passkey
        </Button>
      ) : null}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="md"
          variant="default"
          loading={busy === id}
          disabled={busy !== null}
          onClick={() => void finish(id, send<{ url: string }>("provider", { provider: id, next: next() }))}
        >
          Sign in with {name}
        </Button>
      ))}
      {message === null ? null : (
        <p role="alert" className={styles.problem}>
          {message}
        </p>
      )}
    </div>
  )
}
