import { describe, expect, it } from "vitest"
import { fileURL, insertMention, insertWord, mentionAt, toPromptParts } from "./mention.ts"

describe("mentionAt", () => {
  it("finds the word at the caret", () => {
    expect(mentionAt("ask @exp", 8)).toEqual({ start: 4, text: "exp" })
    expect(mentionAt("@", 1)).toEqual({ start: 0, text: "" })
  })
  it("finds nothing in e-mail addresses and after finished mentions", () => {
    expect(mentionAt("me@example.org", 14)).toBeNull()
    expect(mentionAt("@explore now", 12)).toBeNull()
  })
})

describe("insertMention", () => {
  it("replaces what was typed and puts the caret behind it", () => {
    expect(insertMention("ask @ex please", { start: 4, text: "ex" }, 7, "explore")).toEqual({
      text: "ask @explore please",
      caret: 13,
    })
  })
})

describe("insertWord", () => {
  it("replaces a part of a word, with a space after whole ones", () => {
    const typed = { from: 8, caret: 10 }
    expect(insertWord("see @ev:db now", typed, { value: "db://t/", isWhole: false })).toEqual({
      text: "see @ev:db://t/ now",
      caret: 15,
    })
    expect(insertWord("see @ev:db now", typed, { value: "db://t/1", isWhole: true })).toEqual({
      text: "see @ev:db://t/1 now",
      caret: 17,
    })
  })
})

describe("toPromptParts", () => {
  const options = {
    picked: [{ kind: "file" as const, value: "src/main.ts" }],
    agents: ["explore", "general"],
    directory: "/work/app/",
  }
  it("adds a part for each mention that is still in the text", () => {
    expect(toPromptParts("@explore look at @src/main.ts, twice @src/main.ts", options)).toEqual([
      { type: "text", text: "@explore look at @src/main.ts, twice @src/main.ts" },
      { type: "agent", name: "explore" },
      { type: "file", mime: "text/plain", url: "file:///work/app/src/main.ts", filename: "src/main.ts" },
    ])
  })
  it("ignores words that name nothing", () => {
    expect(toPromptParts("@nobody", options)).toEqual([{ type: "text", text: "@nobody" }])
  })
})

describe("fileURL", () => {
  it("escapes what a URL cannot hold", () => {
    expect(fileURL("/a b/#1.ts")).toBe("file:///a%20b/%231.ts")
    expect(fileURL("C:\\code\\a.ts")).toBe("file:///C:/code/a.ts")
  })
})
