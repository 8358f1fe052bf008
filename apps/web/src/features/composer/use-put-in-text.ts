"use client"

import { useAnnounce } from "../../shell/announcer.tsx"
import { attachedText } from "../undo/attached-text.ts"
import type { useAttachments } from "./use-attachments.ts"
import type { usePromptText } from "./use-prompt-text.ts"

type Prompt = Pick<ReturnType<typeof usePromptText>, "text" | "field" | "write">
type Attached = Pick<ReturnType<typeof useAttachments>, "attachments" | "remove">

/** Inserts the content of an attached text file at the caret, instead of sending it as a file. */
export function usePutInText(prompt: Prompt, attached: Attached): (index: number) => void {
  const announce = useAnnounce()
  return (index) => {
    const attachment = attached.attachments[index]
    const text = attachment ? attachedText(attachment) : null
    if (text === null) return
    const at = prompt.field.current?.selectionStart ?? prompt.text.length
    prompt.write(prompt.text.slice(0, at) + text + prompt.text.slice(at), at + text.length)
    attached.remove(index)
    prompt.field.current?.focus()
    announce("Put into the text")
  }
}
