"use client"

import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { KeyList } from "../../../../features/keyboard/key-list.tsx"
import { showProblem } from "../../../../shell/show-problem.ts"
import { Appearance } from "./appearance.tsx"
import { NotifySwitch } from "./notify-switch.tsx"
import { Section } from "./section.tsx"
import styles from "./settings.module.css"
import { SingleKeysSwitch } from "./single-keys-switch.tsx"

/** What is kept in the browser alone: appearance, notifications and keyboard; and the way out. */
export function BrowserSections({ isTeam }: { isTeam: boolean }) {
  return (
    <>
      <Section id="appearance" title="Appearance">
        <Appearance />
      </Section>
      <Section id="notifications" title="Notifications">
        <NotifySwitch />
      </Section>
      <Section id="keyboard" title="Keyboard">
        <SingleKeysSwitch />
        <KeyList />
      </Section>
      <Section id="session" title={isTeam ? "Sign out" : "This browser"}>
        <SignOut words={isTeam ? "Your other browsers stay signed in." : "Signing in again takes a new login link."} />
      </Section>
    </>
  )
}

function SignOut({ words }: { words: string }) {
  const signOut = useMutation({
    mutationFn: async () => {
      const response = await fetch("/api/logout", { method: "POST", headers: { "content-type": "application/json" } })
      if (!response.ok) throw new Error("Docket did not sign this browser out. Try again.")
    },
    onSuccess: () => location.assign("/login"),
    onError: showProblem,
  })
  return (
    <div className={styles.line}>
      <span>{words}</span>
      <Button loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </div>
  )
}
