import type { FilePart } from "@docket/core/schema"
import { expect, test } from "vitest"
import { fileLabel } from "./file-label.ts"

const file = (url: string): FilePart => ({
  ...{ id: "prt_1", sessionID: "ses_1", messageID: "msg_1" },
  ...{ type: "file", mime: "text/plain", url },
})

test("a file without a name is called like its address", () => {
  expect(fileLabel(file("file:///a/my%20notes.txt?start=3"))).toBe("my notes.txt")
  expect(fileLabel(file("file:///a/100%.txt"))).toBe("100%.txt")
  expect(fileLabel(file("data:,x"))).toBe("attachment")
})
