import type { LanguageModelV4File } from "@ai-sdk/provider"
import { toDataUrl } from "../../ground/media/data-url.ts"
import { MediaProblem } from "../../ground/media/inspect-media.ts"
import type { NamedFile } from "../../ground/message/part-files.ts"
import type { AssistantMessage, FilePart } from "../../ground/schema/index.ts"
import type { Stamp } from "../loop/write-message.ts"

export interface AnswerFilesDeps extends Pick<Stamp, "createID"> {
  /** Keeps a content. @throws MediaProblem */
  keep(file: NamedFile): Promise<NamedFile>
}

/** A file that a model made, as a part of its answer, with its content kept; or with the reason why it is not. */
export async function answerFile(
  deps: AnswerFilesDeps,
  message: AssistantMessage,
  { mediaType, data, providerMetadata }: LanguageModelV4File,
): Promise<FilePart> {
  const place = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id }
  const kind = mediaType.split("/")[1]?.replace(/\W.*$/, "") || "bin"
  const named = { mime: mediaType, filename: `${mediaType.startsWith("image/") ? "picture" : "file"}.${kind}` }
  const metadata = providerMetadata === undefined ? {} : { providerMetadata }
  const part = (file: Omit<NamedFile, "filename">): FilePart => ({
    ...place,
    type: "file",
    ...named,
    ...file,
    ...metadata,
  })
  if (data.type === "url") return part({ mime: mediaType, url: data.url.href })
  const bytes = typeof data.data === "string" ? Buffer.from(data.data, "base64") : Buffer.from(data.data)
  try {
    const { filename: _, ...kept } = await deps.keep({ ...named, url: toDataUrl(mediaType, bytes) })
    return part(kept)
  } catch (error) {
    if (!(error instanceof MediaProblem)) throw error
    return { ...part({ mime: mediaType, url: "data:," }), problem: `it ${error.message}` }
  }
}
