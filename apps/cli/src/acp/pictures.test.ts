import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, it, onTestFinished } from "vitest"
import { pictureContent, pictureReader, withPictures } from "./pictures.ts"

const hash = "a".repeat(64)
const kept = pictureContent({ mime: "image/png", url: `attachment:${hash}` })
const chunk = (content: NonNullable<typeof kept>) => ({
  sessionId: "ses_1",
  update: { sessionUpdate: "user_message_chunk" as const, content },
})

it("only pictures are pictures", () => {
  expect(pictureContent({ mime: "application/pdf", url: `attachment:${hash}` })).toBeNull()
  expect(pictureContent({ mime: "image/png", url: "file:///a.png" })).toBeNull()
  expect(pictureContent({ mime: "image/png", url: "data:image/png;base64,AAAA" })).toMatchObject({ data: "AAAA" })
})

it("a picture that cannot be read is named", async () => {
  if (kept === null) throw new Error("no picture")
  const content = async (data: string | null) => (await withPictures(chunk(kept), async () => data)).update
  expect(await content("AAAA")).toMatchObject({ content: { type: "image", mimeType: "image/png", data: "AAAA" } })
  expect(await content(null)).toMatchObject({ content: { type: "text", text: "[image/png]" } })
})

it.each([
  ["is sent", 200, "png", Buffer.from("png").toString("base64")],
  ["is refused", 404, "no", null],
  ["is too large", 200, "x".repeat(10_000_001), null],
])("a picture of the service that %s", async (_, status, body, read) => {
  const server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === "Bearer key" ? status : 401
    response.setHeader("content-length", body.length)
    response.end(body)
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once("listening", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await pictureReader({ url, token: "key" }, "ses_1")(hash)).toBe(read)
})
