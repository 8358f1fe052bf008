import type { Invitation, MadeLink } from "@docket/client/pages"
import { formatDay } from "../../../../../ui/format.ts"
import { withArticle } from "../role-choice.ts"
import { ShownOnce } from "../shown-once.tsx"

/** A new link, with its recipient and purpose. */
export interface LinkFor {
  link: MadeLink
  /** The recipient's name or e-mail address. */
  who: string
  /** The role of an invitation; null for a password reset link. */
  role: Invitation["role"] | null
}

/** Shows a new link once: its purpose, when it expires, and whether it was mailed. */
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
