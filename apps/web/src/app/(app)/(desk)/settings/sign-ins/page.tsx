import type { Metadata } from "next"
import { SignInsPage } from "./sign-ins-page.tsx"

export const metadata: Metadata = { title: "My sign-ins" }

export default function SignIns() {
  return <SignInsPage />
}
