"use client"

import { Button, Group } from "@mantine/core"
import { useState } from "react"
import { ask, send } from "../send.ts"
import { SignedOutForm } from "../signed-out-form.tsx"
import { SignedOutPage } from "../signed-out-page.tsx"

type State = { at: "code"; code: string } | { at: "asked"; code: string } | { at: "done"; allowed: boolean }

/** Approves the sign-in of a command line that shows a code. `code` comes from the link that it printed. */
export function Device({ code }: { code: string }) {
  const [state, setState] = useState<State>({ at: "code", code })
  const [problem, setProblem] = useState("")
  const answer = async (allowed: boolean, userCode: string) => {
    const sent = await send(allowed ? "device/approve" : "device/deny", { userCode })
    if (sent.ok) setState({ at: "done", allowed })
    else setProblem(sent.message)
  }
  if (state.at === "done") {
    const text = state.allowed ? "The command line goes on by itself. You can close this page." : "It was not let in."
    return <SignedOutPage title={state.allowed ? "Signed in" : "Refused"} text={text} />
  }
  if (state.at === "asked")
    return (
      <SignedOutPage
        title="Let this command line in?"
        text={`It shows ${state.code}. It will work as you for 30 days, or until you end it under your sign-ins. Allow it only if you started it yourself.`}
      >
        {problem === "" ? null : <p role="alert">{problem}</p>}
        <Group>
          <Button variant="filled" size="md" onClick={() => answer(true, state.code)}>
            Allow
          </Button>
          <Button size="md" variant="default" onClick={() => answer(false, state.code)}>
            Refuse
          </Button>
        </Group>
      </SignedOutPage>
    )
  return (
    <SignedOutPage
      title="Sign in a command line"
      text={
        code === ""
          ? "Type the code that docket login shows."
          : "Check that docket login shows this code, which came with the link that you opened."
      }
    >
      <SignedOutForm
        fields={[{ name: "code", label: "Code", autoComplete: "off", value: state.code }]}
        action="Go on"
        submit={async ({ code: typed = "" }) => {
          const shownCode = typed.trim().toUpperCase()
          const found = await ask(`device?user_code=${encodeURIComponent(shownCode)}`)
          if (!found.ok) return "This code is not known, was used, or has expired. Run docket login again."
          setState({ at: "asked", code: shownCode })
          return null
        }}
      />
    </SignedOutPage>
  )
}
