"use client"

import { DeadLink } from "../dead-link.tsx"
import { send } from "../send.ts"
import { SignedOutForm } from "../signed-out-form.tsx"
import { SignedOutPage } from "../signed-out-page.tsx"
import { useLink } from "../use-link.ts"

const fields = [
  { name: "workspace", label: "Name of the workspace", autoComplete: "organization", value: "Docket" },
  { name: "name", label: "Your name", description: "Others see it beside what you do.", autoComplete: "name" },
  { name: "email", label: "E-mail", type: "email", autoComplete: "username" },
  {
    name: "password",
    label: "Password",
    description: "At least 10 characters.",
    type: "password",
    autoComplete: "new-password",
  },
] as const

/** Creates the account of the first owner. */
export function Welcome() {
  const { secret, found } = useLink<object>("first-owner/look")
  if (found === null) return <SignedOutPage title="Welcome" text="One moment." busy />
  if (!found.ok) return <DeadLink message={found.message} />
  return (
    <SignedOutPage title="Make the first account" text="You become the owner. Everybody else comes by an invitation.">
      <SignedOutForm
        fields={fields}
        action="Create account"
        submit={async (values) => {
          const made = await send("first-owner", { secret, ...values })
          if (!made.ok) return made.message
          location.replace("/")
          return null
        }}
      />
    </SignedOutPage>
  )
}
