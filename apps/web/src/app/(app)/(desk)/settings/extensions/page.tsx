import type { Metadata } from "next"
import { ExtensionsPage } from "./extensions-page.tsx"

export const metadata: Metadata = { title: "Extensions" }

export default function Extensions() {
  return <ExtensionsPage />
}
