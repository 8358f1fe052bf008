import type { Metadata } from "next"
import { NewSession } from "./new-session.tsx"

export const metadata: Metadata = { title: "New session" }

export default function NewSessionPage() {
  return <NewSession />
}
