"use client"

import { DeadLink } from "../dead-link.tsx"
import { send } from "../send.ts"
import { SignedOutForm } from "../signed-out-form.tsx"
import { SignedOutPage } from "../signed-out-page.tsx"
import { useLink } from "../use-link.ts"

const fields = [
  {
    name: "password",
    label: "New password",
    description: "At least 10 characters.",
    type: "password",
    autoComplete: "new-password",
  },
] as const

/** Sets a new password with a link from an administrator. */
export function Reset() {
  const { secret, found } = useLink<{ endsSecondStep: boolean }>("reset/look")
  if (found === null) return <SignedOutPage title="A new password" text="One moment." busy />
  if (!found.ok) return <DeadLink message={found.message} />
  const rest = found.data.endsSecondStep ? "and codes of an app end" : "end; codes of an app are asked for as before"
  return (
    <SignedOutPage title="Choose a new password" text={`You are signed out everywhere. Your passkeys ${rest}.`}>
      <SignedOutForm
        fields={fields}
        action="Save password"
        submit={async ({ password }) => {
          const saved = await send("reset", { secret, password })
          if (!saved.ok) return saved.message
          location.replace("/login")
          return null
        }}
      />
    </SignedOutPage>
  )
}
