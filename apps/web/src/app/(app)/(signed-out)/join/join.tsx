"use client"

import { DeadLink } from "../dead-link.tsx"
import { send } from "../send.ts"
import styles from "../signed-out-form.module.css"
import { type SignedOutField, SignedOutForm } from "../signed-out-form.tsx"
import { SignedOutPage } from "../signed-out-page.tsx"
import { useLink } from "../use-link.ts"

interface Invited {
  workspace: string
  email: string
  role: string
  hasAccount: boolean
  /** The user is signed in with the invited address. */
  isYou?: boolean
}

/** Accepts an invitation, with a new account or with the existing account of the address. */
export function Join() {
  const { secret, found } = useLink<Invited>("invitation/look")
  if (found === null) return <SignedOutPage title="Your invitation" text="One moment." busy />
  if (!found.ok) return <DeadLink message={found.message} />
  const { workspace, email, role, hasAccount, isYou } = found.data
  const article = /^[aeiou]/.test(role) ? "an" : "a"
  return (
    <SignedOutPage
      title={`Join ${workspace}`}
      text={`You are invited as ${article} ${role}.${isYou ? ` You are signed in as ${email}.` : ""}`}
    >
      <SignedOutForm
        fields={isYou ? [] : fieldsFor(found.data)}
        action={isYou ? "Join" : hasAccount ? "Sign in and join" : "Create account and join"}
        submit={async ({ name, password }) => {
          const joined = await send<{ twoFactor: boolean }>("invitation/accept", { secret, name, password })
          if (!joined.ok) return joined.message
          location.replace(joined.data.twoFactor ? "/login?step=code" : "/")
          return null
        }}
      >
        {hasAccount && !isYou ? (
          <p className={styles.note}>
            No password? <a href="/login">Sign in</a> as you always do, then open the link of the invitation again.
          </p>
        ) : null}
      </SignedOutForm>
    </SignedOutPage>
  )
}

function fieldsFor({ email, hasAccount }: Invited): SignedOutField[] {
  const address: SignedOutField = {
    name: "email",
    label: "E-mail",
    type: "email",
    autoComplete: "username",
    value: email,
    readOnly: true,
  }
  if (hasAccount)
    return [address, { name: "password", label: "Password", type: "password", autoComplete: "current-password" }]
  return [
    address,
    { name: "name", label: "Your name", description: "Others see it beside what you do.", autoComplete: "name" },
    {
      name: "password",
      label: "Password",
      description: "At least 10 characters.",
      type: "password",
      autoComplete: "new-password",
    },
  ]
}
