import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type ContentBlock, RequestError } from "@agentclientprotocol/sdk/unstable"
import type { DocketClient } from "@docket/client"
import type { PromptPart } from "@docket/core/schema"
import { promptParts } from "../run/prompt-parts.ts"

export interface ReadPromptDeps {
  docket: DocketClient
  projectID: string
  /** The session's directory: names of attached files are relative to it. */
  directory: string
  /** The text of a file that has unsaved changes in the editor; null for any other file. */
  unsavedText(file: string): Promise<string | null>
}

/** What a person sent from an editor, as the parts of a prompt in their order. @throws RequestError */
export async function readPrompt(deps: ReadPromptDeps, blocks: readonly ContentBlock[]): Promise<PromptPart[]> {
  if (blocks.length === 0) throw RequestError.invalidParams(undefined, "the prompt is empty")
  const parts: PromptPart[] = []
  for (const [index, block] of blocks.entries()) {
    // A command stands at the beginning, as on the command line.
    if (index === 0 && block.type === "text") {
      parts.push(...(await promptParts(deps.docket, deps.projectID, block.text)))
    } else parts.push(await partOf(block, deps))
  }
  return parts
}

async function partOf(block: ContentBlock, deps: ReadPromptDeps): Promise<PromptPart> {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text }
    case "image":
      return { type: "file", mime: block.mimeType, url: dataURL(block.mimeType, block.data) }
    case "resource": {
      const { resource } = block
      const filename = nameOf(resource.uri, deps.directory)
      if ("text" in resource) return textFile(resource.text, filename)
      const mime = resource.mimeType ?? "application/octet-stream"
      return { type: "file", mime, url: dataURL(mime, resource.blob), filename }
    }
    case "resource_link":
      return linkedPart(block, deps)
    case "audio":
      throw RequestError.invalidParams(undefined, "audio is not taken: initialize said so")
  }
}

/** A file of this machine is read by the service under its rules. Other addresses are only named: nothing is fetched unasked. */
async function linkedPart(
  { uri, name, mimeType }: Extract<ContentBlock, { type: "resource_link" }>,
  { directory, unsavedText }: ReadPromptDeps,
): Promise<PromptPart> {
  const file = fileOf(uri)
  if (file === null) return { type: "text", text: name === uri ? uri : `${name} (${uri})` }
  const filename = nameOf(uri, directory)
  const unsaved = file.lines === null ? await unsavedText(file.path) : null
  if (unsaved !== null) return textFile(unsaved, filename)
  const url = pathToFileURL(file.path)
  if (file.lines !== null) url.search = new URLSearchParams(file.lines).toString()
  return { type: "file", mime: mimeType ?? "text/plain", url: url.href, filename }
}

interface LinkedFile {
  path: string
  /** As mentions of the service name them: from 1, both included. */
  lines: Record<string, string> | null
}

/** The file of a `file://` address, with the lines that its fragment names (`#L3`, `#L3:9`, `#L3-L9`). */
function fileOf(uri: string): LinkedFile | null {
  if (!URL.canParse(uri)) return null
  const url = new URL(uri)
  if (url.protocol !== "file:") return null
  const [, start, end] = /^#L([1-9]\d*)(?:[-:]L?([1-9]\d*))?$/.exec(url.hash) ?? []
  url.hash = ""
  url.search = ""
  const lines = start === undefined ? null : { start, end: end ?? start }
  return { path: fileURLToPath(url), lines }
}

function nameOf(uri: string, directory: string): string {
  const file = fileOf(uri)
  if (file === null) return uri
  const inside = path.relative(directory, file.path)
  const name = inside.startsWith("..") || inside === "" ? file.path : inside
  return file.lines === null ? name : `${name}:${file.lines.start}-${file.lines.end}`
}

function textFile(text: string, filename: string): PromptPart {
  return {
    type: "file",
    mime: "text/plain",
    url: dataURL("text/plain", Buffer.from(text).toString("base64")),
    filename,
  }
}

function dataURL(mime: string, base64: string): string {
  return `data:${mime};base64,${base64}`
}
