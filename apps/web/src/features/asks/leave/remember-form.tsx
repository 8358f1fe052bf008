"use client"

import type { PermissionRequest } from "@docket/core/schema"
import { Textarea } from "@mantine/core"
import styles from "../ask-card.module.css"
import { rememberLabel } from "./remember-label.ts"
import type { Reply } from "./use-reply.ts"

/** What "always" is to remember instead, typed by the person. */
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
        // What is being typed is not thrown away by a key.
        if (reply.typed?.trim() === request.always.join("\n")) reply.setTyped(null)
        else event.currentTarget.blur()
      }}
    />
  )
}
