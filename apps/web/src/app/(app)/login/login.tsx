"use client"

import { Button } from "@mantine/core"
import { Fragment, useEffect, useState } from "react"
import styles from "./login.module.css"
import { readCode, readNext, redeemCode } from "./redeem-code.ts"

type State = "reading" | "signing-in" | "none" | "used" | "unreachable"

const messages: Record<State, { title: string; text: string }> = {
  reading: { title: "Signing in", text: "One moment." },
  "signing-in": { title: "Signing in", text: "One moment." },
  none: {
    title: "Open Docket with its login link",
    text: "Docket does not let anyone in without a link, not even on this machine.",
  },
  used: {
    title: "This link does not work any more",
    text: "A login link works once, and only while the Docket that made it runs.",
  },
  unreachable: {
    title: "Docket does not answer",
    text: "Look at the terminal where it runs. When it is back, try the same link again.",
  },
}

/**
 * Exchanges the code in the URL fragment for a cookie, or explains how to get a link. `command` prints one on this
 * machine.
 */
export function Login({ command }: { command: string }) {
  const [state, setState] = useState<State>("reading")
  const [attempt, setAttempt] = useState(0)

  // Pasting another link while this page is open changes only the fragment, and does not reload the page.
  useEffect(() => {
    const retry = () => setAttempt((count) => count + 1)
    addEventListener("hashchange", retry)
    return () => removeEventListener("hashchange", retry)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt is the reason to run again
  useEffect(() => {
    const controller = new AbortController()
    const code = readCode(location.hash)
    if (!code) {
      setState("none")
      return
    }
    setState("signing-in")
    redeemCode(code, controller.signal).then((result) => {
      if (controller.signal.aborted) return
      if (result.ok) location.replace(readNext(location.search, location.origin))
      else setState(result.reason)
    })
    return () => controller.abort()
  }, [attempt])

  const { title, text } = messages[state]
  const waiting = state === "reading" || state === "signing-in"
  return (
    <main className={styles.page} aria-busy={waiting}>
      <div className={styles.panel}>
        <p className={styles.brand}>Docket</p>
        <h1 className={styles.title}>{title}</h1>
        <p role="status">{text}</p>
        {state === "none" || state === "used" ? <HowToGetLink command={command} /> : null}
        {state === "unreachable" ? <Button onClick={() => setAttempt((count) => count + 1)}>Try again</Button> : null}
      </div>
    </main>
  )
}

function HowToGetLink({ command }: { command: string }) {
  return (
    <div className={styles.how}>
      <h2>Get a link</h2>
      <ol>
        <li>Go to the terminal where Docket runs. It prints a login link when it starts.</li>
        <li>
          Lost it, or used it already? Run this on the same machine for a new one:
          <code className={styles.command}>
            {command.split(" ").map((word, index) => (
              // The words have no identity except their position.
              <Fragment key={String(index)}>
                {index === 0 ? null : " "}
                <span className={styles.word}>{word}</span>
              </Fragment>
            ))}
          </code>
        </li>
        <li>Open the link in this browser. The browser stays signed in after that.</li>
      </ol>
    </div>
  )
}
