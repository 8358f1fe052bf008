import type { Metadata } from "next"
import { EndedNote } from "./ended-note.tsx"
import { hasAccounts, loginCommand, loginProviders } from "./env.ts"
import { Login } from "./login.tsx"
import { SignIn } from "./sign-in.tsx"

export const metadata: Metadata = { title: "Sign in" }

interface Props {
  searchParams: Promise<{ ended?: string; step?: string }>
}

export default async function LoginPage({ searchParams }: Props) {
  const { ended, step } = await searchParams
  if (!hasAccounts()) return <Login command={loginCommand()} />
  return (
    <SignIn
      providers={loginProviders()}
      knowsPassword={step === "code"}
      note={ended === undefined ? undefined : <EndedNote />}
    />
  )
}
