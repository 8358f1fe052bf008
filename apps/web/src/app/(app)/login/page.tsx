import type { Metadata } from "next"
import { EndedNote } from "./ended-note.tsx"
import { hasAccounts, loginCommand, loginProviders } from "./env.ts"
import { Login } from "./login.tsx"
import { SignIn } from "./sign-in.tsx"

export const metadata: Metadata = { title: "Sign in" }

interface Props {
  searchParams: Promise<{ ended?: string }>
}

export default async function LoginPage({ searchParams }: Props) {
  const { ended } = await searchParams
  if (!hasAccounts()) return <Login command={loginCommand()} />
  return (
    <>
      {ended === undefined ? null : <EndedNote />}
      <SignIn providers={loginProviders()} />
    </>
  )
}
