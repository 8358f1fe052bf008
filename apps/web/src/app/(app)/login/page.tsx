import type { Metadata } from "next"
import { Login } from "./login.tsx"

export const metadata: Metadata = { title: "Sign in" }

export default function LoginPage() {
  return <Login />
}
