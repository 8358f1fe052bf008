import { readdirSync, readFileSync } from "node:fs"
import { ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"
import { expect, it } from "vitest"

const releases = new URL("../../test/released-rows/", import.meta.url)

function toolPartsOf(release: string): ToolPart[] {
  const lines = readFileSync(new URL(release, releases), "utf8").trim().split("\n")
  return lines.flatMap((line) => ToolPart.safeParse(JSON.parse(line).data).data ?? [])
}

it.each(readdirSync(releases))("all metadata of tool calls of %s is read", (release) => {
  const parts = toolPartsOf(release)
  expect(parts.length).toBeGreaterThan(10)
  for (const part of parts) {
    const stored = part.state.status === "pending" ? {} : part.state.metadata
    const call = readToolCall(part)
    expect(call.tool).toBe(part.tool)
    // A call that was refused, or stopped before it started, has no metadata.
    const fields = Object.keys(stored).filter((field) => field !== "interrupted")
    expect(Object.keys(call.metadata ?? {})).toEqual(expect.arrayContaining(fields))
    expect(call.metadata === null).toBe(fields.length === 0)
  }
})
