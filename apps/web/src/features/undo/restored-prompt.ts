import type { FilePart, Part, PromptPart } from "@docket/core/schema"
import { mentionedNames } from "./mentioned-names.ts"

/** A file of a prompt: with its content in a data URL, or as an address. */
export type AttachedFile = Pick<FilePart, "mime" | "url" | "filename">

/** What an undo or a redo changes in the prompt field. */
export interface RestoredPrompt {
  /** Text to put before the draft that is already in the field. */
  put: string
  /** Text to remove, if the field contains exactly this. */
  take: string
  /** Files that the text mentions. */
  files: string[]
  /** Files to attach beside the text. */
  attach: readonly AttachedFile[]
  /** Files to remove, which an undo had attached. */
  detach: readonly AttachedFile[]
}

/** The user's prompt, ready to be edited and sent again. */
export function restoredPrompt(parts: readonly (Part | PromptPart)[]): RestoredPrompt {
  const put = promptText(parts)
  const mentioned = mentionedNames(put)
  const given = parts.filter((part) => part.type === "file")
  const isMention = ({ url, filename = "" }: AttachedFile) => url.startsWith("file:") && mentioned.has(filename)
  return {
    put,
    take: "",
    files: given.filter(isMention).flatMap(({ filename }) => filename ?? []),
    attach: given.filter((file) => !isMention(file)).map(attachedFile),
    detach: [],
  }
}

function attachedFile({ mime, url, filename }: AttachedFile): AttachedFile {
  return { mime, url, ...(filename !== undefined && { filename }) }
}

/** The text of a prompt; delegations are written as the user would type them. */
export function promptText(parts: readonly (Part | PromptPart)[]): string {
  return parts
    .flatMap((part) => {
      // A command is typed on one line. A delegation with several lines is typed as a mention.
      if (part.type === "command") return part.arguments === "" ? `/${part.name}` : `/${part.name} ${part.arguments}`
      // A subtask made by a command is left out: the command itself is already in the text.
      if (part.type === "subtask" && part.command !== undefined) return []
      if (part.type === "subtask") return `${part.prompt.includes("\n") ? "@" : "/agent "}${part.agent} ${part.prompt}`
      return part.type === "text" && !part.synthetic ? part.text : []
    })
    .join("\n")
}

/** Whether the prompt has any text or attachment of the user. */
export function holdsPrompt({ put, attach }: RestoredPrompt): boolean {
  return put !== "" || attach.length > 0
}

/** The text of the field with the restored prompt in it. */
export function withRestored(text: string, { put, take }: RestoredPrompt): string {
  if (text === "" || text === take || text === put) return put
  return put === "" ? text : `${put}\n${text}`
}

/** The attachments of the prompt field after a restore: the restored ones first, without duplicates. */
export function withRestoredFiles<File extends { url: string }>(
  attached: readonly File[],
  attach: readonly File[],
  detach: readonly AttachedFile[],
): File[] {
  const kept = attached.filter((file) => !detach.some(({ url }) => url === file.url))
  return [...attach.filter((file) => !kept.some(({ url }) => url === file.url)), ...kept]
}
