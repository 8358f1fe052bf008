import type { Invitation, MadeLink } from "@docket/client/pages"
import { formatDay } from "../../../../../ui/format.ts"
import { withArticle } from "../role-choice.ts"
import { ShownOnce } from "../shown-once.tsx"

/** A link that was just made, for whom, and what it opens. */
export interface LinkFor {
  link: MadeLink
  /** What they are called, or their address. */
  who: string
  /** As what somebody is invited; null for a link to a new password. */
  role: Invitation["role"] | null
}

/** The words that go with a link: what it opens, until when, and whether it is on its way. */
export function NewLink({ made: { link, who, role }, onDone }: { made: LinkFor; onDone(): void }) {
  const title = role === null ? `New password for ${who}` : `Invitation for ${who} as ${withArticle(role)}`
  return (
    <ShownOnce title={title} label="Link" value={link.url} what="the link" onDone={onDone}>
      {link.mailed ? "It was sent by mail too. " : "No mail was sent: give the link to them yourself. "}
      It works once, until {formatDay(link.expires)}, and is not shown again.
      {role === null ? " Whoever opens it chooses the password: send it where only they read it." : ""}
    </ShownOnce>
  )
}
