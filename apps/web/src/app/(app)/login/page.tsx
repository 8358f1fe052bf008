import type { Metadata } from "next"
import { loginCommand } from "./env.ts"
import { Login } from "./login.tsx"

export const metadata: Metadata = { title: "Sign in" }

export default function LoginPage() {
  return <Login command={loginCommand()} />
}
