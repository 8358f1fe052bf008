"use client"

import { DeadLink } from "../dead-link.tsx"
import { Door } from "../door.tsx"
import { DoorForm } from "../door-form.tsx"
import { send } from "../send.ts"
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
  if (found === null) return <Door title="A new password" text="One moment." busy />
  if (!found.ok) return <DeadLink message={found.message} />
  const rest = found.data.endsSecondStep ? "and codes of an app end" : "end; codes of an app are asked for as before"
  return (
    <Door title="Choose a new password" text={`You are signed out everywhere. Your passkeys ${rest}.`}>
      <DoorForm
        fields={fields}
        action="Save password"
        submit={async ({ password }) => {
          const saved = await send("reset", { secret, password })
          if (!saved.ok) return saved.message
          location.replace("/login")
          return null
        }}
      />
    </Door>
  )
}
