"use client"

import { Button } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { send } from "../../../(signed-out)/send.ts"
import { BackupCodes } from "./backup-codes.tsx"
import styles from "./methods.module.css"
import { PasswordStep } from "./password-step.tsx"
import { TotpSetUp } from "./totp-set-up.tsx"
import { methodsKey, useMethods } from "./use-methods.ts"

type State =
  | { at: "rest" }
  | { at: "password"; for: "enable" | "disable" | "codes" }
  | { at: "set-up"; totpURI: string; backupCodes: readonly string[] }
  | { at: "codes"; backupCodes: readonly string[] }

interface StartedSetUp {
  totpURI: string
  backupCodes: string[]
}

const questions = {
  enable: { action: "Go on", route: "enable" },
  disable: { action: "Turn off", route: "disable" },
  codes: { action: "Make new codes", route: "generate-backup-codes" },
} as const

/** The second step of a sign-in: a code from an authenticator app. */
export function Totp() {
  const methods = useMethods()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [state, setState] = useState<State>({ at: "rest" })
  const settle = async (words: string) => {
    announce(words)
    await queries.invalidateQueries({ queryKey: methodsKey })
  }
  const submitPassword = async (question: keyof typeof questions, password: string): Promise<string | null> => {
    const sent = await send<StartedSetUp>(`two-factor/${questions[question].route}`, { password })
    if (!sent.ok) return sent.message
    if (question === "enable") setState({ at: "set-up", ...sent.data })
    else if (question === "codes") setState({ at: "codes", backupCodes: sent.data.backupCodes })
    else {
      setState({ at: "rest" })
      await settle("No code is asked for any more")
    }
    return null
  }
  if (methods.data === undefined) return <p className={styles.text}>{methods.error?.message ?? "One moment."}</p>
  const isOn = methods.data.twoFactor
  const rest = () => setState({ at: "rest" })
  if (state.at === "set-up")
    return (
      <TotpSetUp
        totpURI={state.totpURI}
        onCancel={rest}
        onDone={async () => {
          setState({ at: "codes", backupCodes: state.backupCodes })
          await settle("A code is asked for from now on")
        }}
      />
    )
  if (state.at === "codes") return <BackupCodes codes={state.backupCodes} onDone={rest} />
  return (
    <div className={styles.panel}>
      <p className={styles.text}>
        {isOn
          ? "On: after the password you type the code that your app shows, or one of your backup codes."
          : "Off. With it, your password alone lets nobody in: you also type a code that an authenticator app on your phone shows."}
      </p>
      {state.at === "password" ? (
        <PasswordStep
          key={state.for}
          action={questions[state.for].action}
          submit={(password) => submitPassword(state.for, password)}
          onCancel={rest}
        />
      ) : (
        <div className={styles.buttons}>
          {isOn ? (
            <>
              <Button onClick={() => setState({ at: "password", for: "codes" })}>New backup codes</Button>
              <Button onClick={() => setState({ at: "password", for: "disable" })}>Turn off</Button>
            </>
          ) : (
            <Button onClick={() => setState({ at: "password", for: "enable" })}>Set up</Button>
          )}
        </div>
      )}
    </div>
  )
}
