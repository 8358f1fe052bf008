import type { Metadata } from "next"
import { SignInMethodsPage } from "./sign-in-methods-page.tsx"

export const metadata: Metadata = { title: "Sign-in methods" }

export default function SignInMethods() {
  return <SignInMethodsPage />
}
