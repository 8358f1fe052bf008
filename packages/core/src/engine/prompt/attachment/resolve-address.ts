import type { GuardedFetch } from "../../../ground/fetch/guarded-fetch.ts"
import { mediaTypeOf, plainMediaType } from "../../../ground/message/media-type.ts"
import { type ModelInputs, takesURL } from "../../../ground/message/model-inputs.ts"
import type { FilePart, PromptPart } from "../../../ground/schema/index.ts"

type Attachment = Extract<PromptPart, { type: "file" }>
type NewFile = Omit<FilePart, "id" | "sessionID" | "messageID">

export interface AddressDeps {
  /** What the model of the prompt reads. */
  inputs(): Promise<ModelInputs>
  fetch: GuardedFetch
}

/**
 * An attachment that is an address, as it is stored: the address itself where the model's provider fetches it, else
 * the content, fetched once and for all, or why it is not there. Never throws but for the abort.
 */
export async function resolveAddress(deps: AddressDeps, part: Attachment, signal: AbortSignal): Promise<NewFile> {
  const { mime, url, filename } = part
  const file: NewFile = { type: "file", mime, url, ...(filename !== undefined && { filename }) }
  if (takesURL(await deps.inputs(), plainMediaType(mime), url)) return file
  try {
    const { bytes, mediaType } = await deps.fetch(url, signal)
    const type = mediaTypeOf(bytes, mediaType || mime)
    const data = `data:${type};base64,${bytes.toString("base64")}`
    return { ...file, mime: type, url: data, filename: filename ?? lastSegment(url) }
  } catch (error) {
    signal.throwIfAborted()
    return { ...file, problem: reasonOf(error) }
  }
}

/** A name for what has none. */
function lastSegment(url: string): string {
  const { hostname, pathname } = new URL(url)
  return pathname.split("/").findLast((segment) => segment !== "") ?? hostname
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || (error.cause instanceof Error ? error.cause.message : error.name)
}
