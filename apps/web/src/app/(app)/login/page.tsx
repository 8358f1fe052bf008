import type { Metadata } from "next"
import { Login } from "../../../features/login/login.tsx"

export const metadata: Metadata = { title: "Sign in" }

export default function LoginPage() {
  return <Login />
}
