"use client"

import { type ReactNode, useEffect, useState } from "react"
import { send } from "../(signed-out)/send.ts"
import { SignedOutForm } from "../(signed-out)/signed-out-form.tsx"
import { SignedOutPage } from "../(signed-out)/signed-out-page.tsx"
import { OtherWays } from "./other-ways.tsx"
import type { SignInProvider } from "./providers.ts"
import { readNext } from "./redeem-code.ts"

const fields = [
  { name: "email", label: "E-mail", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "current-password" },
] as const

const codeFields = [{ name: "code", label: "Code", autoComplete: "one-time-code", inputMode: "numeric" }] as const

interface SignInProps {
  providers: readonly SignInProvider[]
  /** The password step was already completed on the previous page. */
  knowsPassword: boolean
  note?: ReactNode
}

/** Signs in a team member. */
export function SignIn({ providers, knowsPassword, note }: SignInProps) {
  const [needsCode, setNeedsCode] = useState(knowsPassword)
  // After a reload, the user starts with the password again.
  useEffect(() => {
    if (knowsPassword) history.replaceState(null, "", "/login")
  }, [knowsPassword])
  const goOn = () => {
    location.replace(readNext(location.search, location.origin))
    return null
  }
  if (needsCode)
    return (
      <SignedOutPage
        title="One more step"
        text="Type the code that your authenticator app shows, or one of your backup codes."
      >
        <SignedOutForm
          key="code"
          fields={codeFields}
          action="Sign in"
          submit={async ({ code = "" }) => {
            const typed = code.replaceAll(" ", "")
            const way = /^\d{6}$/.test(typed) ? "verify-totp" : "verify-backup-code"
            const sent = await send(`two-factor/${way}`, { code: typed })
            return sent.ok ? goOn() : sent.message
          }}
        />
      </SignedOutPage>
    )
  return (
    <SignedOutPage title="Sign in" text="With the account that you made from your invitation." note={note}>
      <SignedOutForm
        key="password"
        fields={fields}
        action="Sign in"
        submit={async ({ email, password }) => {
          const sent = await send<{ twoFactor: boolean }>("sign-in/email", { email, password })
          if (!sent.ok) return sent.message
          if (!sent.data.twoFactor) return goOn()
          setNeedsCode(true)
          return null
        }}
      >
        <OtherWays providers={providers} />
        <p>No account, or no password any more? An administrator of your team makes you a link.</p>
      </SignedOutForm>
    </SignedOutPage>
  )
}
