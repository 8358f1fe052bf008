import type { SessionVisibility } from "@docket/core/schema"

export const visibilityLabels: Record<SessionVisibility, { name: string; hint: string }> = {
  workspace: { name: "Everybody here", hint: "The workspace sees it from its first prompt on." },
  author: { name: "Only me", hint: "Nobody else sees it, administrators neither, until you show it in its menu." },
}
