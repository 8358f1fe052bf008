"use client"

import { Button } from "@mantine/core"
import { KeyList } from "../../../../features/keyboard/key-list.tsx"
import { useSignOut } from "../../../../shell/use-sign-out.ts"
import { Appearance } from "./appearance.tsx"
import { NotifySwitch } from "./notify-switch.tsx"
import { Section } from "./section.tsx"
import styles from "./settings.module.css"
import { SingleKeysSwitch } from "./single-keys-switch.tsx"

/** Settings stored only in the browser: appearance, notifications and keyboard; and sign-out. */
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
  const { signOut, isPending } = useSignOut()
  return (
    <div className={styles.line}>
      <span>{words}</span>
      <Button loading={isPending} onClick={signOut}>
        Sign out
      </Button>
    </div>
  )
}
