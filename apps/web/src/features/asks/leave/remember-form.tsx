"use client"

import type { PermissionRequest } from "@docket/core/schema"
import { Textarea } from "@mantine/core"
import styles from "../ask-card.module.css"
import { rememberLabel } from "./remember-label.ts"
import type { Reply } from "./use-reply.ts"

/** The field for the user's own "always" patterns. */
export function RememberForm({ request, reply }: { request: PermissionRequest; reply: Reply }) {
  return (
    <Textarea
      className={styles.remember ?? ""}
      autoFocus
      autosize
      minRows={1}
      maxRows={4}
      label={`Always allow these ${rememberLabel(request)}`}
      description="One pattern on each line. * stands for any text, ? for one character."
      value={reply.typed ?? ""}
      onChange={(event) => reply.setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        // Esc must not discard typed text.
        if (reply.typed?.trim() === request.always.join("\n")) reply.setTyped(null)
        else event.currentTarget.blur()
      }}
    />
  )
}
