"use client"

import { visibleText } from "@docket/core/rule"
import type { PermissionRequest } from "@docket/core/schema"
import { Textarea } from "@mantine/core"
import { LinkButton } from "../../ui/link-button.tsx"
import styles from "./permission-card.module.css"
import type { Reply } from "./use-reply.ts"

interface RememberProps {
  request: PermissionRequest
  reply: Reply
}

/** Permissions whose names are not words for what they allow. */
const inWords: Record<string, string> = {
  bash: "commands",
  edit: "changes of files",
  external_directory: "places outside the project",
  doom_loop: "repeated calls",
  task: "tasks",
  read: "reading",
}

const wordsFor = ({ permission }: PermissionRequest) => inWords[permission] ?? visibleText(permission)

/** What "always" would remember, and the way to narrow or widen it. */
export function RememberLine({ request, reply }: RememberProps) {
  if (!reply.offered) {
    return (
      <p className={styles.always}>
        What covers this would have to be named.{" "}
        <LinkButton onClick={() => reply.setTyped("")}>Name what is always allowed</LinkButton>
      </p>
    )
  }
  return (
    <p className={styles.always}>
      Always allows the {wordsFor(request)}{" "}
      {request.always.map((pattern) => (
        <code key={pattern}>{visibleText(pattern)}</code>
      ))}{" "}
      to subagents as well. <LinkButton onClick={() => reply.setTyped(request.always.join("\n"))}>Edit</LinkButton>
    </p>
  )
}

/** What "always" is to remember instead, typed by the person. */
export function RememberForm({ request, reply }: RememberProps) {
  return (
    <Textarea
      className={styles.remember ?? ""}
      autoFocus
      autosize
      minRows={1}
      maxRows={4}
      label={`Always allow these ${wordsFor(request)}`}
      description="A pattern a line, just as you write it: * is any text, ? one character."
      value={reply.typed ?? ""}
      onChange={(event) => reply.setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        reply.setTyped(null)
      }}
    />
  )
}
