import type { FilePart, Part, PromptPart } from "@docket/core/schema"
import { mentionedNames } from "./mentioned-names.ts"

/** A file that goes with a prompt, content and all, or at an address. */
export type AttachedFile = Pick<FilePart, "mime" | "url" | "filename">

/** What the prompt field is to hold after an undo or a redo. */
export interface RestoredPrompt {
  /** Goes before what a person has begun to write. */
  put: string
  /** Goes when the field still holds exactly this. */
  take: string
  /** Files that the text mentions. */
  files: string[]
  /** Files that go beside the text. */
  attach: readonly AttachedFile[]
  /** Those that an undo had put there. */
  detach: readonly AttachedFile[]
}

/** The prompt that a person wrote, to be edited and sent again. */
export function restoredPrompt(parts: readonly (Part | PromptPart)[]): RestoredPrompt {
  const put = promptText(parts)
  const words = mentionedNames(put)
  const given = parts.filter((part) => part.type === "file")
  const isMention = ({ url, filename = "" }: AttachedFile) => url.startsWith("file:") && words.has(filename)
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

/** What a prompt says, delegations as they are written. */
export function promptText(parts: readonly (Part | PromptPart)[]): string {
  return parts
    .flatMap((part) => {
      // A line is a command's; several lines go to an agent as a mention does.
      if (part.type === "command") return part.arguments === "" ? `/${part.name}` : `/${part.name} ${part.arguments}`
      // What a command made stands beside how it was typed.
      if (part.type === "subtask" && part.command !== undefined) return []
      if (part.type === "subtask") return `${part.prompt.includes("\n") ? "@" : "/agent "}${part.agent} ${part.prompt}`
      return part.type === "text" && !part.synthetic ? part.text : []
    })
    .join("\n")
}

/** Whether a person wrote or attached any of it. */
export function holdsPrompt({ put, attach }: RestoredPrompt): boolean {
  return put !== "" || attach.length > 0
}

/** The text of the field with the restored prompt in it. */
export function withRestored(text: string, { put, take }: RestoredPrompt): string {
  if (text === "" || text === take || text === put) return put
  return put === "" ? text : `${put}\n${text}`
}

/** The files beside the field with those of the restored prompt first; one that is there already is not put there again. */
export function withRestoredFiles<File extends { url: string }>(
  held: readonly File[],
  attach: readonly File[],
  detach: readonly AttachedFile[],
): File[] {
  const own = held.filter((file) => !detach.some(({ url }) => url === file.url))
  return [...attach.filter((file) => !own.some(({ url }) => url === file.url)), ...own]
}
