import type { Metadata } from "next"
import { WebhooksPage } from "./webhooks-page.tsx"

export const metadata: Metadata = { title: "Webhooks" }

export default function Webhooks() {
  return <WebhooksPage />
}
