"use client"

import { alwaysOfServer, visibleText } from "@docket/core/rule"
import type { PermissionRequest } from "@docket/core/schema"
import { LinkButton } from "../../../ui/link-button.tsx"
import styles from "../ask-card.module.css"
import { boundMessage, reachMessage } from "./always-scopes.ts"
import { rememberLabel } from "./remember-label.ts"
import type { Reply } from "./use-reply.ts"

interface RememberProps {
  request: PermissionRequest
  reply: Reply
}

/** Shows the patterns for "always" with a way to edit them, or a way to write one when Docket offers none. */
export function RememberLine({ request, reply }: RememberProps) {
  if (!reply.hasPatterns) {
    return (
      <p className={styles.always}>
        Docket has no pattern to offer for this. You can write one.{" "}
        <LinkButton onClick={() => reply.setTyped("")}>Name what is always allowed</LinkButton>
      </p>
    )
  }
  const edit = <LinkButton onClick={() => reply.setTyped(request.always.join("\n"))}>Edit</LinkButton>
  const ofServer = alwaysOfServer(request)
  if (ofServer !== null) {
    return (
      <p className={styles.always}>
        “Always” allows {ofServer} {reachMessage(reply.scope)}. {edit} {boundMessage(request)}
      </p>
    )
  }
  return (
    <p className={styles.always}>
      “Always” allows these {rememberLabel(request)} {reachMessage(reply.scope)}:{" "}
      {request.always.map((pattern) => (
        <code key={pattern}>{visibleText(pattern)}</code>
      ))}{" "}
      {edit} {boundMessage(request)}
    </p>
  )
}
