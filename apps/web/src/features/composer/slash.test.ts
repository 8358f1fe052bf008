import type { PromptCommand } from "@docket/core/schema"
import { describe, expect, test } from "vitest"
import { argumentsAt, commandInUse, meaningOf, slashAt, slashCommands } from "./slash.ts"
import { slashEntries } from "./slash-entries.ts"

const page = (slash: string | undefined, unavailable?: string) => ({
  id: slash ?? "none",
  group: "Go",
  label: slash ?? "",
  ...(slash !== undefined && { slash }),
  unavailable,
  run: () => {},
})
const prompt = (
  name: string,
  origin: PromptCommand["origin"] = "project",
  hint: string | null = null,
): PromptCommand => ({
  name,
  description: `Says ${name}`,
  hint,
  origin,
  file: null,
  agent: null,
  model: null,
  subtask: false,
})
const names = {
  page: slashCommands([page("stop"), page("undo"), page(undefined), page("new")]),
  prompt: [
    prompt("deploy", "project", "<where>"),
    prompt("team/day", "user"),
    prompt("review", "docket"),
    prompt("plan", "docket"),
  ],
}
const listed = (typed: string, from = names) => slashEntries(from, typed).map(({ name }) => name)

describe("the list of /", () => {
  test("lists common commands first, then project and personal ones, then others", () => {
    expect(listed("")).toEqual(["plan", "review", "undo", "new", "deploy", "team/day", "stop"])
    const stopped = { ...names, page: slashCommands([page("stop"), page("undo", "nothing to undo")]) }
    expect(listed("", stopped).at(-1)).toBe("undo")
  })

  test("matches by prefix, word, substring, letters in order, then description", () => {
    expect(listed("de")).toEqual(["deploy"])
    expect(listed("UN")).toEqual(["undo"])
    expect(listed("day")).toEqual(["team/day"])
    expect(listed("dpl")).toEqual(["deploy"])
    expect(listed("dy")).toEqual([])
    expect(listed("ew")).toEqual(["review", "new"])
    expect(listed("says")).toEqual(["plan", "review", "deploy", "team/day"])
    expect(listed("etc/hosts")).toEqual([])
  })

  test("shows a command's arguments and its origin", () => {
    expect(slashEntries(names, "deploy")).toMatchObject([
      { usage: "<where>", origin: "project", description: "Says deploy" },
    ])
    expect(slashEntries(names, "team")).toMatchObject([{ usage: "", origin: "yours" }])
  })

  test("is open while the caret is in the first word", () => {
    expect(slashAt("/", 1)).toBe("")
    expect(slashAt("/un", 3)).toBe("un")
    expect(slashAt("look at /etc", 12)).toBeNull()
    expect(slashAt("/undo it", 5)).toBeNull()
  })

  test("is closed while a command's arguments are typed", () => {
    expect(commandInUse(names, "/deploy ")?.hint).toBe("<where>")
    expect(commandInUse(names, "/deploy")).toBeNull()
    expect(commandInUse(names, " /deploy x")).toBeNull()
  })
})

test("arguments are completed for commands of extensions that take some", () => {
  const from = { page: [], prompt: [prompt("ev:ask", "user", "<city>"), prompt("ev:go", "user"), ...names.prompt] }
  expect(argumentsAt(from, "/ev:ask Par is", 11)).toBe("/ev:ask Par")
  expect(argumentsAt(from, "/ev:ask", 7)).toBeNull()
  expect(argumentsAt(from, "/ev:go x", 8)).toBeNull()
  expect(argumentsAt(from, "/deploy x", 9)).toBeNull()
  expect(argumentsAt(from, `/ev:ask ${"x".repeat(4_000)}`, 4_008)).toBeNull()
})

describe("a prompt that begins with /", () => {
  test("is a command of the page, or a prompt with its arguments", () => {
    expect(meaningOf(names, "/undo ")).toMatchObject({ kind: "page", command: { slash: "undo" } })
    expect(meaningOf(names, "/team/day")).toMatchObject({ kind: "prompt", typed: "" })
    expect(meaningOf(names, "/deploy  the api\nto staging ")).toMatchObject({
      kind: "prompt",
      typed: "the api\nto staging",
    })
  })

  test("unknown commands go to the service; page commands take no text", () => {
    expect(meaningOf(names, "/deplyo now")).toEqual({ kind: "prompt", name: "deplyo", typed: "now" })
    expect(meaningOf(names, "/undo it")).toMatchObject({ words: expect.stringContaining("takes nothing after it") })
  })

  test("is text for a path, a comment, inline commands or leading space", () => {
    for (const text of ["/etc/hosts is wrong", "// why", "/", " /undo", "/todo add Milk", "/parallel", "Do /undo"]) {
      expect(meaningOf(names, text)).toBeNull()
    }
  })
})
