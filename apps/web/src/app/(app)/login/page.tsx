import type { Metadata } from "next"
import { hasAccounts, loginCommand } from "./env.ts"
import { Login } from "./login.tsx"
import { SignIn } from "./sign-in.tsx"

export const metadata: Metadata = { title: "Sign in" }

export default function LoginPage() {
  return hasAccounts() ? <SignIn /> : <Login command={loginCommand()} />
}
