import type { ContentBlock } from "@agentclientprotocol/sdk/unstable"
import type { DocketClient } from "@docket/client"
import { expect, it } from "vitest"
import { readPrompt } from "./read-prompt.ts"

const deps = {
  // Only paths in place of a command ask it for commands.
  docket: { command: { list: { query: async () => [] } } } as unknown as DocketClient,
  projectID: "prj_1",
  directory: "/p",
  unsavedText: async (file: string) => (file === "/p/open.ts" ? "new" : null),
}
const encoded = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString("base64")}`
const link = (uri: string, name = "Name"): ContentBlock => ({ type: "resource_link", uri, name })
const file = (url: string, filename: string) => ({ type: "file", mime: "text/plain", url, filename })

it.each<[ContentBlock, object]>([
  [
    { type: "text", text: "Hello" },
    { type: "text", text: "Hello" },
  ],
  [
    { type: "text", text: "/review now" },
    { type: "command", name: "review", arguments: "now" },
  ],
  [
    { type: "image", mimeType: "image/png", data: "AAAA" },
    { type: "file", mime: "image/png", url: "data:image/png;base64,AAAA" },
  ],
  [{ type: "resource", resource: { uri: "file:///p/src/a.ts", text: "a" } }, file(encoded("a"), "src/a.ts")],
  [{ type: "resource", resource: { uri: "file:///p/a.ts#L3:9", text: "a" } }, file(encoded("a"), "a.ts:3-9")],
  [{ type: "resource", resource: { uri: "zed:///thread/1", text: "a" } }, file(encoded("a"), "zed:///thread/1")],
  [
    { type: "resource", resource: { uri: "file:///q/a.pdf", blob: "AAAA", mimeType: "application/pdf" } },
    { type: "file", mime: "application/pdf", url: "data:application/pdf;base64,AAAA", filename: "/q/a.pdf" },
  ],
  [link("file:///p/a%20b.ts"), file("file:///p/a%20b.ts", "a b.ts")],
  [link("file:///p/a.ts#L3"), file("file:///p/a.ts?start=3&end=3", "a.ts:3-3")],
  [link("file:///p/a.ts#L3-L9"), file("file:///p/a.ts?start=3&end=9", "a.ts:3-9")],
  [link("file:///p/open.ts"), file(encoded("new"), "open.ts")],
  [link("https://a.example/x"), { type: "text", text: "Name (https://a.example/x)" }],
  [link("no address", "no address"), { type: "text", text: "no address" }],
])("%o becomes %o", async (block, part) => {
  expect(await readPrompt(deps, [block])).toEqual([part])
})

it("only the beginning of a prompt is a command", async () => {
  const text = (said: string): ContentBlock => ({ type: "text", text: said })
  expect(await readPrompt(deps, [text("Look"), text("/review now")])).toEqual([
    { type: "text", text: "Look" },
    { type: "text", text: "/review now" },
  ])
})

it("an empty prompt and audio are refused", async () => {
  await expect(readPrompt(deps, [])).rejects.toThrow("the prompt is empty")
  await expect(readPrompt(deps, [{ type: "audio", mimeType: "audio/wav", data: "AAAA" }])).rejects.toThrow(
    "audio is not taken",
  )
})
