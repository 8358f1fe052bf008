import type { Metadata } from "next"
import { MemoryPage } from "./memory-page.tsx"

export const metadata: Metadata = { title: "Memory" }

export default function Memory() {
  return <MemoryPage />
}
