import type { Metadata } from "next"
import { BrowserPage } from "./browser-page.tsx"

export const metadata: Metadata = { title: "This browser" }

export default function Browser() {
  return <BrowserPage />
}
